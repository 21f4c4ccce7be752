#!/usr/bin/env bash
# A test bed of many machines on one: network namespaces on a bridge, with an origin of bundles (nginx, TLS), two cells
# behind a proxy, and agents that ask. The first cell has four instances, PostgreSQL and its synchronous replica; the
# second has two instances and PostgreSQL. It injects faults one after the other while the agents ask, and prints a
# table; it fails if anything acknowledged is lost, anybody is answered from a bundle that was refused, or a withdrawal
# does not hold in time. The proxy, PostgreSQL and the instances have the files of server/deploy, with names, addresses
# and certificates replaced. It needs Linux, root (or sudo), a built checkout, and these packages of Debian, which
# install.sh installs: iproute2 nginx-light postgresql faketime openssl curl git. It leaves nothing behind.
#
#   bash test/scale/run.sh [folder that keeps the logs]
#
# AGENTS [1000]       how many ask; each closes a third of its answers
# PAUSE_MS [10000]    how long each waits between two recalls, on average; 60000 is one a minute
# HOLD [30]           how long a fault lasts, in seconds
# ORIGIN_AWAY [600]   how long the origin is away
# POLL [5]            --poll of the instances: a withdrawal holds within a second more
#
# The clock of the third instance is 300 s ahead for the whole run (libfaketime, its system clock alone).
set -euo pipefail

AGENTS=${AGENTS:-1000} PAUSE_MS=${PAUSE_MS:-10000} HOLD=${HOLD:-30} ORIGIN_AWAY=${ORIGIN_AWAY:-600} POLL=${POLL:-5}
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
pgbin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1 || true)
WITHDRAWN=agent-0001
CLOCK_AHEAD=300

if [ "${IN_BED:-}" != 1 ]; then
  # network namespaces need root
  [ "$(id -u)" = 0 ] || exec sudo --preserve-env=AGENTS,PAUSE_MS,HOLD,ORIGIN_AWAY,POLL env "PATH=$PATH" bash "$0" "$@"
  for program in ip unshare nginx faketime openssl curl git "$pgbin/postgres"; do
    command -v "$program" >/dev/null || { echo "missing: $program (run $here/install.sh)" >&2; exit 2; }
  done
  [ -f "$checkout/dist/compiler/cli/main.js" ] || { echo 'the checkout is not built: run npm run build' >&2; exit 2; }
  place=$(mktemp -d /tmp/vade-bed-XXXXXX)
  code=0
  # every process of the bed, its network and its mounts end with this one
  IN_BED=1 place=$place unshare --mount --net --pid --fork --kill-child --mount-proc bash "$0" "$@" || code=$?
  if [ -n "${1:-}" ]; then mkdir -p "$1" && cp "$place"/*.log "$place"/*.jsonl "$1/" 2>/dev/null || true; fi
  rm -rf "$place"
  exit "$code"
fi

mount --make-rprivate /
mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns
# PostgreSQL and libfaketime keep shared memory there, the latter by the number of a process
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
chmod 755 "$place" && cd "$place"
: > events.jsonl

now_ms() { date +%s%3N; }
say() { printf '%(%H:%M:%S)T %s\n' -1 "$*" >&2; }
event() { printf '{"at":%s,%s}\n' "$(now_ms)" "$1" >> events.jsonl; }
begin() { say "fault: $1"; event "\"kind\":\"fault\",\"name\":\"$1\""; }
over() { event "\"kind\":\"over\",\"name\":\"$1\""; }
check() { # name, then a command that succeeds where it holds
  local ok=false
  if "${@:2}" >> checks.log 2>&1; then ok=true; else say "DOES NOT HOLD: $1"; fi
  event "\"kind\":\"check\",\"name\":\"$1\",\"ok\":$ok"
}
took() { # name, the milliseconds when it began
  local ms=$(($(now_ms) - $2))
  event "\"kind\":\"took\",\"name\":\"$1\",\"seconds\":$((ms / 1000)).$((ms % 1000 / 100))"
  say "$1: $ms ms"
}
until_true() { # seconds at most, then a command
  local last=$((SECONDS + $1))
  until "${@:2}" 2>/dev/null; do
    [ "$SECONDS" -lt "$last" ] || { say "waited $1 s in vain: ${*:2}"; return 1; }
    sleep 0.1
  done
}

# --- the network -----------------------------------------------------------------------------------------------------
ip link set lo up
ip link add bed type bridge forward_delay 0 && ip link set bed up
machine() { # name, last number of its address
  ip netns add "$1"
  ip link add "$1" type veth peer name eth0 netns "$1"
  ip link set "$1" master bed up
  ip -n "$1" addr add "10.77.0.$2/24" dev eth0
  ip -n "$1" link set eth0 up && ip -n "$1" link set lo up
}
on() { ip netns exec "$1" "${@:2}"; }
machine origin 2; machine pg1 3; machine pg2 4; machine proxy 5; machine pg3 6; machine pg4 7; machine agents 20
# the second cell has 5 and 6; the third has 7 and is added in the run
for i in 1 2 3 4 5 6 7; do machine "store$i" $((10 + i)); done
running=(1 2 3 4 5 6)
# the address of the database, which a failover moves; it keeps its hardware address, so nobody has to forget one
ip link add db type veth peer name db0 netns pg1 && ip link set db master bed up
give_address() { ip -n "$1" addr add 10.77.0.10/32 dev db0 && ip -n "$1" link set db0 up; }
# nobody learns that address from any other interface
for it in pg1 pg2; do on $it sysctl -qw net.ipv4.conf.all.arp_ignore=1 net.ipv4.conf.all.arp_announce=2; done
give_address pg1
# packets from one machine to another vanish without an answer
separate() { on "$2" ip route add blackhole "$1/32"; }
mend() { on "$2" ip route del blackhole "$1/32"; }

# --- a handbook, its bundles and its keys -----------------------------------------------------------------------------
vade() { node "$checkout/dist/compiler/cli/main.js" "$@"; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME='Ada Lovelace' GIT_AUTHOR_EMAIL=ada@example.com
export GIT_COMMITTER_NAME="$GIT_AUTHOR_NAME" GIT_COMMITTER_EMAIL="$GIT_AUTHOR_EMAIL"
say "a handbook of $AGENTS agents"
vade init --dir handbook --deployment bed > init.log
mkdir vade
node "$here/handbook.mjs" handbook "$AGENTS" keys.json agents.json vade
(cd handbook && git init --quiet && git add . && git commit --quiet --message 'Start')
cp handbook/instructions/trust/1.json root.json
compile() { (cd handbook && vade compile --trust ../root.json --key .vade/signing-key.pem --out "../$1") >> compile.log 2>&1; }
started=$(now_ms)
compile first
took "compile of $AGENTS agents" "$started"
cp -r first second
echo 'Tell the requester too.' >> handbook/instructions/agents/agent-0002/task.md
(cd handbook && git add . && git commit --quiet --message 'Tell')
compile second
revision() { tr -d '[:space:]' < "$1/current"; }

publish() { # a folder to the origin: what `current` names is there before it
  mkdir -p site
  (cd "$1" && tar -cf - --exclude=./current .) | tar -xf - -C site
  cp "$1/current" site/current.new && mv site/current.new site/current
}
published() { publish "$1"; event "\"kind\":\"published\",\"revision\":\"$(revision "$1")\""; }

# --- the origin and the proxy -----------------------------------------------------------------------------------------
openssl req -x509 -newkey ed25519 -nodes -keyout tls.key -out tls.pem -days 2 -subj /CN=10.77.0.2 \
  -addext subjectAltName=IP:10.77.0.2,IP:10.77.0.5 2>/dev/null
cat > origin.conf <<CONF
user root; worker_processes 1; pid $place/origin.pid; error_log $place/origin.log;
events {}
http {
  access_log off;
  server {
    listen 10.77.0.2:443 ssl; ssl_certificate $place/tls.pem; ssl_certificate_key $place/tls.key;
    root $place/site;
  }
}
CONF
# the shipped configuration, with names and certificate replaced as its first line says; a header names the instance
conf=$checkout/server/deploy
sed -e "s#/etc/nginx/vade#$place/vade#; s#/etc/vade/tls/fullchain.pem#$place/tls.pem#; s#/etc/vade/tls/key.pem#$place/tls.key#" \
  -e 's#listen 443#listen 10.77.0.5:443#' \
  -e 's#add_header Strict.*#&\n    add_header X-Served-By $upstream_addr always;#' "$conf/nginx.conf" > proxy.conf
upstream() { # name, then the machines
  sed -n "s/^upstream vade/upstream $1/p" "$conf/upstreams.conf"
  local line; line=$(grep '^ *server ' "$conf/upstreams.conf")
  for it in "${@:2}"; do echo "${line/127.0.0.1:8765/10.77.0.1$it:8765}"; done
  sed -n '/keepalive/,$p' "$conf/upstreams.conf"
}
{
  upstream vade 1 2 3 4
  upstream cell2 5 6
  for i in 1 2 3 4 5 6; do upstream "store$i" "$i"; done
} > vade/upstreams.conf
origin_up() { on origin nginx -c "$place/origin.conf" -e "$place/origin.log"; }

# --- PostgreSQL with a synchronous replica ----------------------------------------------------------------------------
as_postgres() { on "$1" setpriv --reuid=postgres --regid=postgres --init-groups env LC_ALL=C "${@:2}"; }
pg_start() { as_postgres "$1" "$pgbin/pg_ctl" -D "$place/$1" -w -l "$place/$1.log" -o "-c listen_addresses=* -k $place/$1-socket" start > /dev/null; }
password=$(openssl rand -hex 12)
for it in pg1 pg2 pg3 pg4; do mkdir $it $it-socket && chmod 700 $it && touch $it.log && chown postgres $it $it-socket $it.log; done
database_on() { # a new one, with the shipped settings
  as_postgres "$1" "$pgbin/initdb" -D "$place/$1" --username=postgres --auth=trust --encoding=UTF8 --locale=C >> initdb.log
  printf '%s\n' 'host all vade 10.77.0.0/24 scram-sha-256' 'host replication postgres 10.77.0.0/24 trust' >> "$1/pg_hba.conf"
  cp "$conf/postgresql.conf" "$1/vade.conf" && echo "include = 'vade.conf'" >> "$1/postgresql.conf"
  pg_start "$1"
  psql_on "$1" "CREATE ROLE vade LOGIN PASSWORD '$password'"
  psql_on "$1" 'CREATE DATABASE vade OWNER vade'
}
psql_on() { as_postgres "$1" psql -h "$place/$1-socket" -U postgres --no-psqlrc -qtA -c "$2" "${3:-postgres}"; }
database_on pg1
database_on pg3
as_postgres pg2 "$pgbin/pg_basebackup" -h 10.77.0.3 -U postgres -D "$place/pg2" -R -d 'application_name=replica' -X stream -c fast
pg_start pg2
psql_on pg1 "ALTER SYSTEM SET synchronous_standby_names = 'replica'" && psql_on pg1 'SELECT pg_reload_conf()' > /dev/null
is_synchronous() { [ "$(psql_on pg1 'SELECT sync_state FROM pg_stat_replication')" = sync ]; }
until_true 20 is_synchronous
database=postgres://vade:$password@10.77.0.10/vade
database2=postgres://vade:$password@10.77.0.6/vade
database3=postgres://vade:$password@10.77.0.7/vade
replica=postgres://vade:$password@10.77.0.4/vade

# --- the instances ----------------------------------------------------------------------------------------------------
export VADE_AUDIT_KEY=$(openssl rand -hex 24) VADE_CHECKPOINT_KEY=$(openssl genpkey -algorithm ed25519)
openssl pkey -pubout > checkpoint.pub <<< "$VADE_CHECKPOINT_KEY"
declare -A instance
start_instance() { # number, then the database of its cell
  local clock=() state="$place/state$1" flags
  mkdir -p "$state"
  [ "$1" = 3 ] && clock=(env FAKETIME_DONT_FAKE_MONOTONIC=1 faketime -f "+${CLOCK_AHEAD}s")
  flags=$(sed -n 's#^ExecStart=/usr/bin/env vade serve ##p' "$conf/vade@.service" | sed -e 's#--port %i#--port 8765#' \
    -e "s#/etc/vade#$place#; s#https://bundles.example/#https://10.77.0.2/#; s#postgres://vade@localhost/vade#$2#" \
    -e "s#/var/lib/vade/%i#$state#g; s#/var/lib/vade#$state#g; s#loopback#10.77.0.5#")
  # the replica is of the first cell; no function: it would be the process that is killed
  [ "$2" = "$database" ] && flags="$flags --audit-replica $replica"
  NODE_EXTRA_CA_CERTS=$place/tls.pem ip netns exec "store$1" "${clock[@]}" node "$checkout/dist/compiler/cli/main.js" serve \
    $flags --poll "$POLL" --host "10.77.0.1$1" --metrics-open >> "store$1.log" 2>&1 &
  instance[$1]=$!
}
ask() { on agents curl --silent --max-time 5 "$@"; }
ready() { ask --fail "http://10.77.0.1$1:8765/readyz" > /dev/null; }
metric() { ask "http://10.77.0.1$1:8765/metrics" | awk -v name="$2" '$1 == name { print $2 }'; }
each_is() { for i in "${running[@]}"; do [ "$(metric $i "$1")" = "$2" ] || return 1; done; }
serves() { for i in "${running[@]}"; do ask "http://10.77.0.1$i:8765/readyz" | grep -q "$1" || return 1; done; }

published first
origin_up
on proxy nginx -c "$place/proxy.conf" -e "$place/proxy.log"
for i in 1 2 3 4; do start_instance $i "$database"; done
for i in 5 6; do start_instance $i "$database2"; done
for i in "${running[@]}"; do until_true 120 ready $i; done
event "\"kind\":\"clock\",\"address\":\"10.77.0.13\",\"name\":\"a clock $CLOCK_AHEAD s ahead\""
say "$AGENTS agents ask"
ip netns exec agents env NODE_EXTRA_CA_CERTS="$place/tls.pem" node "$here/agents.mjs" https://10.77.0.5 agents.json answers.jsonl "$PAUSE_MS" > agents.log 2>&1 &
asking=$!
sleep "$HOLD"
# processor time, in hundredths of a second, of what runs on machines; every machine is a namespace
ticks_on() { for it in "$@"; do ip netns pids "$it"; done | while read -r pid; do cut -d ' ' -f 14,15 "/proc/$pid/stat"; done | awk '{ n += $1 + $2 } END { print n }'; }
stores=(store1 store2 store3 store4 store5 store6)
costs() { printf '%s %s %s %s\n' "$(ticks_on "${stores[@]}")" "$(ticks_on pg1 pg3)" "$(ticks_on pg2)" "$(wc -l < answers.jsonl)"; }
before=$(costs)
sleep "$HOLD"
read -r of_stores of_primary of_replica requests <<< "$(costs | awk -v before="$before" '{ split(before, b, " "); n = $4 - b[4]; printf "%.2f %.2f %.2f %d", ($1 - b[1]) * 10 / n, ($2 - b[2]) * 10 / n, ($3 - b[3]) * 10 / n, n }')"

# --- capsules: one machine an owner, pinned by the proxy --------------------------------------------------------------
key_of() { node -p "JSON.parse(fs.readFileSync('agents.json')).agents[$1].key"; }
subject='"subject_kind":"thread","subject_id":"bed"'
capsule() { # its state, in words
  printf '{%s,"capsule":{%s,"updated_at":"%s","verified_at":"%s","source":{"producer":"bed","update_reason":"pre_compaction"},"confidence":{"continuity":0.8,"relationship_model":0.5},"continuity":{"top_priorities":["%s"],"active_concerns":[],"active_constraints":[],"open_loops":[],"stance_summary":"none","drift_signals":[]}}}' \
    "$subject" "$subject" "$(date -u +%FT%TZ)" "$(date -u +%FT%TZ)" "$1"
}
store() { ask --fail -o /dev/null --cacert tls.pem "https://10.77.0.5/v1/continuity/upsert" -H "authorization: Bearer $(key_of "$1")" -H 'content-type: application/json' -d "$(capsule "of $1")"; }
recover() { # agent, address
  ask --cacert tls.pem "$2/v1/continuity/read" -H "authorization: Bearer $(key_of "$1")" -H 'content-type: application/json' -d "{$subject}" | grep -q "of $1"
}
store_all() { for a in 0 1 2 3 4; do store $a || return 1; done; }
recover_all() { for a in 0 1 2 3 4; do recover $a https://10.77.0.5 || return 1; done; }
not_elsewhere() { recover 0 http://10.77.0.11:8765 && ! recover 0 http://10.77.0.12:8765; }
check 'capsules are written and read through the proxy, each agent on its machine' eval 'store_all && recover_all'
check 'another machine does not have them: they are stateful' not_elsewhere

# --- faults -----------------------------------------------------------------------------------------------------------
name='instance killed, and started with its disk'
begin "$name"
kill -9 "${instance[1]}" && wait "${instance[1]}" 2>/dev/null || true
sleep "$((HOLD / 2))"
started=$(now_ms)
start_instance 1 "$database"
until_true 60 ready 1
took 'start of an instance, to ready' "$started"
sleep "$((HOLD / 2))"
over "$name"
check 'its capsules are there again' recover_all

name='partition: the proxy and an instance'
begin "$name"
separate 10.77.0.14 proxy
sleep "$HOLD"
mend 10.77.0.14 proxy
over "$name"

name='partition: an instance and the database'
begin "$name"
separate 10.77.0.12 pg1
sleep "$HOLD"
check 'rows of the instance wait in its spool' eval '[ "$(metric 2 vade_audit_spooled_rows)" -gt 0 ]'
mend 10.77.0.12 pg1
started=$(now_ms)
check 'the spools are stored' until_true 120 each_is vade_audit_spooled_rows 0
took 'partition mended, to an empty spool' "$started"
over "$name"

name='partition: the database and its synchronous replica'
begin "$name"
separate 10.77.0.4 pg1
sleep "$HOLD"
mend 10.77.0.4 pg1
started=$(now_ms)
check 'the replica follows again, and the spools are stored' eval 'until_true 60 is_synchronous && until_true 120 each_is vade_audit_spooled_rows 0'
took 'replica reachable, to empty spools' "$started"
over "$name"
check 'vade audit verify reads the replica' on pg2 node "$checkout/dist/compiler/cli/main.js" audit verify --audit "$replica" --state "$place/none" --checkpoint-key checkpoint.pub

name='PostgreSQL lost, its replica promoted'
begin "$name"
started=$(now_ms)
ip netns pids pg1 | xargs kill -9 2>/dev/null || true
ip link set pg1 down && ip link set db down
sleep "$((HOLD / 3))"
# steps of an operator, or of Patroni: no standby is waited for any more, and the address moves
as_postgres pg2 sh -c "echo \"synchronous_standby_names = ''\" >> $place/pg2/postgresql.auto.conf"
as_postgres pg2 "$pgbin/pg_ctl" -D "$place/pg2" -w promote > promote.log
psql_on pg2 'SELECT pg_reload_conf()' > /dev/null
ip -n pg1 link set db0 netns pg2 && give_address pg2 && ip link set db up
promoted=$(now_ms)
check 'the new primary takes the rows of the spools' until_true 120 each_is vade_audit_spooled_rows 0
took 'promotion, to empty spools' "$promoted"
over "$name"

name='a damaged bundle published'
begin "$name"
cp -r second damaged
garden=$(ls -d damaged/gardens/agent-0002/*/ | while read -r it; do [ -d "first/${it#damaged/}" ] || echo "$it"; done)
sed -i 's/Ask the owner/Ask nobody at/' "$garden/facts.json"
publish damaged
refuses() { serves '"refused":{'; }
check 'every instance refuses it' until_true "$((POLL * 3))" refuses
sleep "$((HOLD / 2))"
check 'every instance refuses it still, and serves the last good one' eval 'refuses && serves "\"bundle_revision\":\"$(revision first)\""'
over "$name"
name='the same bundle repaired'
begin "$name"
published second
started=$(now_ms)
check 'every instance serves the repaired one' until_true 120 serves "\"bundle_revision\":\"$(revision second)\""
took 'repaired bundle published, to served everywhere' "$started"
over "$name"

name='the origin away'
begin "$name"
kill "$(cat origin.pid)"
sleep "$ORIGIN_AWAY"
check 'every instance answers from the last good bundle' serves "\"bundle_revision\":\"$(revision second)\""
origin_up
started=$(now_ms)
# the interval of polls grows to five minutes at most
check 'every instance polls the origin again' until_true 330 each_is vade_bundle_unreachable_seconds 0
took 'origin back, to polled by all' "$started"
over "$name"

name='a withdrawal published'
begin "$name"
(cd handbook && vade withdraw --agent "$WITHDRAWN" --unit task --reason 'the test bed' --key .vade/admin-key.pem --bundle ../second --trust ../root.json --yes) >> compile.log
publish second
started=$(now_ms)
printf '{"kind":"withdrawn","at":%s,"agent":"%s","unit":"task"}\n' "$((started + POLL * 1000 + 1000))" "$WITHDRAWN" >> events.jsonl
about=$(node -p "JSON.parse(fs.readFileSync('agents.json')).agents[0].about")
holds_on() {
  ask "http://10.77.0.1$1:8765/v1/agents/$WITHDRAWN/recall-instruction" -H "authorization: Bearer $(key_of 0)" \
    -H 'content-type: application/json' -d "{\"intent\":\"asked about the $about today $RANDOM\"}" > "withdrawn$1.json"
  grep -q '"chunks"' "withdrawn$1.json" && ! grep -q '"name":"task"' "withdrawn$1.json"
}
holds() { for i in "${running[@]}"; do holds_on $i || return 1; done; }
check "the withdrawal holds on every instance within --poll and a second ($((POLL + 1)) s)" until_true "$((POLL + 1))" holds
took 'withdrawal published, to in force everywhere' "$started"
sleep "$((HOLD / 3))"
over "$name"

name='a cell lost, its agents moved to a third'
begin "$name"
started=$(now_ms)
kill -9 "${instance[5]}" "${instance[6]}" && wait "${instance[5]}" "${instance[6]}" 2>/dev/null || true
ip netns pids pg3 | xargs kill -9 2>/dev/null || true
running=(1 2 3 4 7)
database_on pg4
start_instance 7 "$database3"
until_true 60 ready 7
# steps of an operator: the lost cell's agents are of the new one
sed -i '/^upstream cell2/,/^}/d' vade/upstreams.conf && upstream cell2 7 >> vade/upstreams.conf
on proxy nginx -c "$place/proxy.conf" -e "$place/proxy.log" -s reload
took 'cell lost, to its agents on a third' "$started"
sleep "$HOLD"
over "$name"
name='the lost cell back, without agents'
begin "$name"
pg_start pg3
for i in 5 6; do start_instance $i "$database2"; done
running+=(5 6)
for i in 5 6; do until_true 60 ready $i; done
check 'the rows of its spools are stored' until_true 120 each_is vade_audit_spooled_rows 0
over "$name"

# --- the end ----------------------------------------------------------------------------------------------------------
kill "$asking" && wait "$asking" || true
check 'nothing waits in a spool' until_true 120 each_is vade_audit_spooled_rows 0
check 'no instance lost a row' each_is vade_audit_lost_rows_total 0
for i in "${running[@]}"; do kill "${instance[$i]}"; done
for i in "${running[@]}"; do wait "${instance[$i]}" || true; done
for it in "$database" "$database2" "$database3"; do
  check "the audit verifies, with the checkpoints of all instances: ${it#*@}" on agents node "$checkout/dist/compiler/cli/main.js" audit verify --audit "$it" --state "$place/none" --checkpoint-key checkpoint.pub
done
psql_on pg2 'VACUUM ANALYZE' vade
size=$(psql_on pg2 "SELECT pg_database_size('vade')" vade)
rows=$(psql_on pg2 'SELECT count(*) FROM entries' vade)
[ -s agents.log ] && cat agents.log >&2
echo
echo "processor time a request, over $requests without a fault: $of_stores ms of the instances, $of_primary ms of the database, $of_replica ms of its replica"
echo "$AGENTS agents, one recall each $((PAUSE_MS / 1000)) s, a third closed; $rows rows, $((size / rows)) bytes of database a row"
echo
on agents node "$here/judge.mjs" answers.jsonl events.jsonl "$database" "$database2" "$database3"
