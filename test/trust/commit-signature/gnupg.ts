import { execFileSync } from 'node:child_process';
import { tempFolder } from '../../support/folder.ts';
import { repository } from '../../support/repository.ts';
import { AT, plainCommit, rawCommit, withSignature, wrapper } from './keys.ts';

/** A GnuPG home of its own; every call takes place at a given second. */
export class Gnupg {
  readonly home = tempFolder();

  command(at: number): string {
    const options = "--batch --quiet --no-tty --pinentry-mode loopback --passphrase '' --trust-model always";
    return `env GNUPGHOME=${this.home} gpg ${options} --faked-system-time ${at}!`;
  }

  run(at: number, args: string, input: string | Buffer = ''): string {
    return execFileSync('sh', ['-c', `${this.command(at)} ${args}`], { input, encoding: 'utf8', stdio: 'pipe' });
  }

  /** Makes a key and answers its fingerprint. */
  make(at: number, user: string, algorithm: string, expire = 'never'): string {
    this.run(at, `--quick-gen-key ${user}@example.com ${algorithm} sign ${expire}`);
    const [fingerprint = ''] = /(?<=^fpr:+)\w+/m.exec(this.run(at, `--with-colons -k ${user}@`)) ?? [];
    return fingerprint;
  }

  publicKey(user: string): string {
    return this.run(AT, `--armor --export ${user}@example.com`);
  }

  /** The raw object of a commit that git had this GnuPG sign. */
  commit(user: string): Buffer {
    const repo = repository();
    const program = wrapper(this.command(AT));
    repo.git('config', 'gpg.program', program);
    repo.git('config', 'user.signingkey', `${user}@example.com`);
    repo.git('commit', '--quiet', '-S', '--allow-empty', '-m', 'sign');
    return rawCommit(repo);
  }

  /** A commit object with a signature made with these options. */
  signed(options: string): Buffer {
    return withSignature(plainCommit(), this.run(AT, `--armor --detach-sign ${options}`, plainCommit()));
  }

  /** Stops the agent that GnuPG has started. */
  end(): void {
    execFileSync('gpgconf', ['--homedir', this.home, '--kill', 'all']);
  }
}
