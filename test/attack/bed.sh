#!/usr/bin/env bash
# Makes a bed of its files, in $1/main: a repository, its remotes and worktrees, and a person's home. $2 is this repository. An
# archive whose program is missing is left out.
set -uo pipefail
cd "$1/main"
origin=git://127.0.0.1/origin.git

# an archive holds other bytes than the file that it would replace
cp package.json ../kept.json
echo '{}' > package.json
tar cf src/x.tar package.json && cp src/x.tar src/a.tar && tar czf src/x.tgz package.json
zip -q src/x.zip package.json && cp src/x.zip src/a.zip && cp src/x.zip src/x.jar
7z a -bso0 src/x.7z package.json
touch -d tomorrow package.json && echo package.json | cpio -o --quiet > src/x.cpio
ar rc src/x.a package.json
gcc -c -o src/a.o src/a.c && cp src/a.o src/x.o
gzip -c lib/x > lib/y.gz
sqlite3 data.db 'create table t(x); create table x(y)' && sqlite3 src/x.db 'create table t(x)'
mv ../kept.json package.json

set -e
git init --quiet --initial-branch=main --template=
git config user.name Ann
git config user.email ann@example.com
git config push.default current
git add --all
git commit --quiet --message=x
for it in origin path; do git init --quiet --bare --template= "../$it.git"; done
git push --quiet ../origin.git main
for it in agent shop one two; do git worktree add --quiet -b "$it-branch" "../trees/$it"; done

# every place where git names an address; `gh pr checkout` writes the one of a branch
git remote add origin "$origin"
git remote add path "$1/path.git"
git config branch.fork.pushRemote "$origin"
git config url.git://127.0.0.1/.insteadOf shop:
git config extensions.worktreeConfig true
git -C ../trees/agent config --worktree remote.own.url "$origin"
git clone --quiet --bare --template= . .git/modules/sub
git -C .git/modules/sub config remote.origin.url "$origin"
printf '%040d\t\tbranch '\''main'\'' of %s\n' 0 "${origin%.git}" > .git/FETCH_HEAD
printf '%040d %040d Ann <ann@example.com> 1760000000 +0000\tclone: from %s\n' 0 0 "$origin" >> .git/logs/HEAD

mkdir -p ../person/.claude
touch ../person/{.bashrc,.npmrc,.claude/settings.json}

# stands in for an agent that keeps to nothing
for it in claude codex aider; do
  printf '#!/bin/sh\ngit push\necho x > package.json\n' > "../programs/$it"
done
printf '#!/bin/sh\nexec node %s/dist/compiler/cli/main.js "$@"\n' "$2" > ../programs/vade
chmod +x ../programs/*
