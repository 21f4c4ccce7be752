/**
 * Programs that take words as words: names, texts, patterns. `git push` among their arguments runs nothing. A program
 * that is not here may run what it is given, so its arguments are looked at.
 */
export const PLAIN = new Set(
  '[ [[ : ack ag alias apk apropos apt apt-cache apt-get aptitude aws az basename bc black brew bun cal cargo cat cd chgrp chmod chown cksum clang clang++ cmp code column comm compgen cp curl cut date dd declare df diff dig dirname dnf docker-credential dpkg dpkg-query du echo egrep env eslint export expr false fgrep file find fmt fold free g++ gcc gh gitleaks glab go gofmt goimports golangci-lint gradle gradlew grep groups gunzip gzip head help hexdump hg history host hostname id ifconfig info install ip jest jobs join jq kill killall last ld less let lint ln local locate look ls lsof make man md5sum mkdir mktemp mocha mold more mount mv mvn mypy nl node-gyp npm nproc od pacman paste pathchk pgrep ping pip pip3 pkill playwright pnpm pr prettier printenv printf ps pushd pwd py.test pytest rake readlink readonly realpath rev rg rm rmdir rspec rubocop ruff rustc rustfmt sed seq set sha1sum sha256sum shasum shellcheck shopt shuf sleep snap sort ss stat strings sum tac tail tee test time top touch tr tree true tsc tsort tty type typeset ulimit umask uname uniq unset unxz uptime vdir vitest w wc wget whatis whereis which who whoami xxd yarn yes yq yum zcat zgrep zypper'.split(
    ' ',
  ),
);

/** Options of such programs that name a program after all. */
export const PROGRAM_OPTIONS: Readonly<Record<string, RegExp>> = {
  sort: /^--compress-program(=|$)/,
  rg: /^--(pre|hostname-bin)(=|$)/,
  man: /^(-P|--pager(=.*)?)$/,
  wget: /^--use-askpass(=|$)/,
  gcc: /^-wrapper$/,
  'g++': /^-wrapper$/,
  clang: /^-wrapper$/,
  tcpdump: /^-z$/,
  scp: /^-S$/,
  sftp: /^-S$/,
  less: /^\+/,
  more: /^\+/,
  npm: /^(--?)?script-shell(=|$)/,
  pnpm: /^(--?)?script-shell(=|$)/,
  go: /^-(exec|toolexec)(=|$)/,
  cargo: /^(-s|--shell|-x|--exec|--config(=.*)?)$/,
  ack: /^--pager(=|$)/,
  ag: /^--pager(=|$)/,
  install: /^--strip-program(=|$)/,
  mvn: /^-Dexec\./,
  brew: /^exec$/,
  socat: /^(EXEC|SYSTEM|SHELL):/i,
  dpkg: /-invoke(=|$)/,
  apt: /-Invoke\b/i,
  'apt-get': /-Invoke\b/i,
  docker: /^--entrypoint(=|$)/,
};

/** Programs that only look: they may name the file of git itself. */
export const LOOKING = new Set(
  '[ [[ basename cd command dirname dpkg du echo file find ls lsof md5sum printf readlink realpath sha256sum stat test type whatis whereis which'.split(
    ' ',
  ),
);
