/**
 * Programs that take words as words: names, texts, patterns. `git push` among their arguments runs nothing. A program
 * that is not here may run what it is given, so its arguments are looked at.
 */
export const PLAIN = new Set(
  '[ [[ : ack ag alias apk apropos apt apt-cache apt-get aptitude aws az basename bc black brew bun cal cargo cat cd chgrp chmod chown cksum clang clang++ cmp code column comm compgen cp curl cut date dd declare df diff dig dirname dnf docker-credential dpkg dpkg-query du echo egrep env eslint export expr false fgrep file find fmt fold free g++ gcc gh gitleaks glab go gofmt goimports golangci-lint gradle gradlew grep groups gunzip gzip head help hexdump hg history host hostname id ifconfig info install ip jest join jq kill killall last ld less let lint ln local locate look ls lsof make man md5sum mkdir mktemp mocha mold more mount mv mvn mypy nl node-gyp npm nproc od pacman paste pathchk pgrep ping pip pip3 pkill playwright pnpm pr prettier printenv printf ps pushd pwd py.test pytest rake readlink readonly realpath rev rg rm rmdir rspec rubocop ruff rustc rustfmt sed seq set sha1sum sha256sum shasum shellcheck shopt shuf sleep snap sort ss stat strings sum tac tail tee test time top touch tr tree true tsc tsort tty type typeset ulimit umask uname uniq unset unxz uptime vdir vitest w wc wget whatis whereis which who whoami xxd yarn yes yq yum zcat zgrep zypper'.split(
    ' ',
  ),
);

/** Programs that only look: they may name the file of git itself. */
export const LOOKING = new Set(
  '[ [[ basename cd command curl dirname dpkg du echo file find gh ls lsof md5sum printf readlink realpath sha256sum stat test type whatis whereis which'.split(
    ' ',
  ),
);

/** Programs that only read the files which they are given, and start none of their words. */
export const READING = new Set(
  ': [ [[ ack ag apropos basename cat cd cksum cmp column comm command cut date declare df diff dirname du echo egrep expr export false fgrep file find fmt fold grep groups head hexdump id info jq join less local ls lsof man md5sum more nl od paste pgrep popd printf ps pushd pwd read readlink readonly realpath rev rg seq set sha1sum sha256sum shasum stat strings sum tac tail test tr true type typeset unset vdir wc whatis whereis which'.split(
    ' ',
  ),
);
