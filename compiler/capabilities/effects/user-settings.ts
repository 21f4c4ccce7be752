/** Commands that write a file which they are not told. */
export interface SettingsWriter {
  readonly program: RegExp;
  /** Their words without options; null if every call writes. */
  readonly verbs: RegExp | null;
  /** One of these options must be there. */
  readonly needs?: RegExp;
  /** With one of these options it only tells something. */
  readonly unless?: RegExp;
  readonly what: string;
}

export const PERSON = 'the user’s tool configuration';

/** Settings of the person for clouds, clusters, containers, the desktop and keys. */
export const USER_SETTINGS: readonly SettingsWriter[] = [
  {
    program: /^aws$/,
    verbs: /^(configure( (set|import|sso|sso-session|add-model))?$|configure (set|import|sso)\b|sso log\w+)/,
    what: PERSON,
  },
  {
    program: /^gcloud$/,
    verbs:
      /^(config (set|unset|configurations (create|activate|delete))|auth (login|revoke|activate-service-account|configure-docker))\b/,
    what: PERSON,
  },
  { program: /^az$/, verbs: /^(config (set|unset)|configure|log(in|out)|account set)\b/, what: PERSON },
  { program: /^kubectl$/, verbs: /^config (set\S*|unset|use-context|use|delete-\w+|rename-context)\b/, what: PERSON },
  {
    program: /^helm$/,
    verbs: /^(repo (add|remove)|registry log\w+|plugin (install|uninstall|update))\b/,
    what: PERSON,
  },
  {
    program: /^(docker|podman|nerdctl)$/,
    verbs: /^(log(in|out)|context (use|create|rm|update|import))\b/,
    what: PERSON,
  },
  { program: /^(terraform|tofu|pulumi|vercel|netlify|heroku|firebase)$/, verbs: /^log(in|out)\b/, what: PERSON },
  { program: /^dotnet$/, verbs: /^user-secrets (set|remove|clear|init)\b/, what: PERSON },
  { program: /^systemctl$/, verbs: /^(enable|disable|link|edit|mask|unmask|set-environment)\b/, what: PERSON },
  { program: /^launchctl$/, verbs: /^(load|unload|bootstrap|bootout|enable|disable|setenv|submit)\b/, what: PERSON },
  { program: /^defaults$/, verbs: /^(write|delete|import|rename)\b/, what: PERSON },
  { program: /^gsettings$/, verbs: /^(set|reset)\b/, what: PERSON },
  { program: /^dconf$/, verbs: /^(write|load|reset)\b/, what: PERSON },
  { program: /^update-alternatives$/, verbs: null, needs: /^--(set|install|remove|config|auto)/, what: PERSON },
  {
    program: /^gpg2?$/,
    verbs: null,
    needs:
      /^--(import|delete-\S+|quick-\S+|full-gen\S*|gen-key|generate-key|edit-key|change-\S+|recv-keys|receive-keys)$/,
    what: PERSON,
  },
];
