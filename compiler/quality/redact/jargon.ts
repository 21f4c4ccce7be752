/**
 * Words of offices, shops and computers that the parser's dictionary does not list: they identify nobody. A word that
 * is also a name must not be added.
 */
export const JARGON = new Set(
  `account accounts adapter admin admins agent agents ai airline airport alert alerts allowance amount amounts api apis app
  appointment apps archive asap assignee attachment attachments audit audits authenticate authentication authorise
  authorize autoscaling availability backend backlog backup backups balance bandwidth bank banking batch battery benefit
  benefits billing birthday blog bonus booking bookings boolean branch branches browser bucket budget budgets bug bugs
  build builds cache caches cafe cafes calendar campaign canary cancel cancellation candidate candidates card cards cart
  catalog category ceo certificate certificates cfo changelog channel channels charge chargeback charges chart charts chat
  checkbook checklist checkout checkpoint ci cleanup cli cliche cliches client clients cloud cluster clusters cmo code
  codebase comment comments commit commits company compiler compliance component components config configs configuration
  consent console contact contacts container containers contract contracts controller conversion coo cookie cookies copy
  coupon coupons cpu credential credentials credit creme crm cron crypto css csv cto currency customer customers cv cvc
  cvv daily dashboard dashboards data database databases dataset deadline deadlines debit debug decor default defect
  delete deleted deletes deleting delivery demo department dependencies dependency deploy deployed deploying deployment
  deployments deploys desktop dev device devices diff digest directory discount discounts dns dob docker docs document
  documents domain domains download downloads downtime draft drafts duplicate duplicates email emails employee employees
  encryption endpoint endpoints engineer engineers entree enum environment error errors escalate escalation etl exception
  exceptions expense expenses export exports facade facades failover fallback feature features feedback fetch file files
  filter filters finance firewall firmware flight flights folder folders forecast form format forms forum fraud fraudulent
  frontend ftp function functions gateway gdpr git gpu grafana graph gui handle handoff handover hardware hash header
  headers heartbeat helpdesk holiday holidays homepage hook hooks host hosting hosts hotel hotels hotfix html http https
  iban icon id ids image images import imports inbox incident incidents index info inquiry insurance integration interface
  intern internet interns interview interviews invoice invoiced invoices ip issue issues item items iteration jalapeno
  jalapenos java javascript job jobs json kanban key keys keyword keywords kpi lan landing laptop laptops latency lead
  leads leak leaks ledger library licence licences license licenses link links linter list lists load loan local lock log
  login logins logo logout logs loop lunch mailbox maintenance manager managers manifest manual map margin markdown
  marketing matinee meal meeting meetings memo memory menu merge merged merges message messages metadata metric metrics
  migrate migration migrations milestone mock mode model models module modules monitor monitoring monorepo monthly
  mortgage network networks newsletter newsletters node nodes notification notifications oauth objective offer office
  offline okr okrs onboard onboarding online open order orders otp outage outages output overdue overtime owner owners
  package packages page pages parameter parameters parser partner partners passcode passport password passwords patch
  patches path paycheck payload payment payments payroll pdf percent performance permission permissions phishing phone
  phones pick pinata ping pinged pipeline pipelines plan planning plans plate platform playbook playlist plugin plugins
  policies policy poll pop port portal post postmortem posts preview price prices pricing priorities priority privacy
  process processes product production products profile profiles project projects promo prompt prompts proposal proposals
  protege proxy pto publish pull purchase purchases puree push qa quarter quarterly query queue queues quota quotas readme
  receipt receipts recipe recipes recruiter redirect refactor refund refunded refunding refunds registry regression
  release released releases reminder reminders renewal repo report reporting reports repos repository request requests
  rerun reset resets resource resources response responses restaurant restaurants retention retries retro retrospective
  retry return returns revenue review reviewed reviewer reviewers reviews rfc risk risks roadmap role roles rollback
  rollout rollover router routine routines rss runbook runbooks runtime saas salaries salary sales sandbox scan scanner
  scans schedule scheduled schedules schema schemas scope scrape screenshot screenshots script scripts scrum sdk search
  security seo server servers service services session sessions setting settings setup shift shifts shipment shipments
  shipping shop shopping shutdown signature signup signups sla slack slide slides sms smtp snapshot snapshots social
  socket software song songs souffle source sources spam spec specs spike sprint sprints sql ssh ssl ssn sso stack staff
  staging stakeholder stakeholders standup startup statement statements status storage store stores string strings stub
  stubs subscriber subscribers subscription subscriptions summary supplier suppliers support survey swift switch sync
  synced system systems table tables tag tags target targets task tasks tax taxes tcp team teams template templates tenant
  terminal test tested tester testing tests text thread threads ticket tickets timeline timeout timeouts timer timesheet
  timestamp timezone tls todo token tokens tool tools topic topics trace traces traffic training transaction transactions
  transcript transfer transfers translate translation triage trial trigger triggers tutorial typo typos ui unit units
  unsubscribe update updates upgrade upgrades upload uploads uptime url urls usage user username usernames users ux
  vacation validation vat vendor vendors verification verify version versions video videos visa visas voicemail volume vpn
  vulnerabilities vulnerability wallet warehouse warning warnings web webhook webhooks webinar website websites weekly
  widget wifi wiki workaround workflow workflows workload workspace xml yaml zip zone`
    .trim()
    .split(/\s+/),
);
