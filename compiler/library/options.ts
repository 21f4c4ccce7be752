/** Whose signatures count, and what the calls depend on besides their arguments. */
export interface DeploymentOptions {
  /** File of the trust root, which comes from outside repository and bundle. Either this or `dev`. */
  readonly trust?: string;
  /** The development root in `.vade/` of `cwd`, which is made where it is missing. Default: false. */
  readonly dev?: boolean;
  /** Folder that relative paths start from. Default: that of the process. */
  readonly cwd?: string;
  /** `VADE_SIGNING_KEY`, `VADE_BUNDLE_TOKEN`, `VADE_MODEL_HUB`, `OTEL_*`; the process's environment is not read. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The clock. Default: that of the machine. */
  readonly now?: () => Date;
  /** Called with lines for people: which repository is read, what is downloaded, what was damaged. */
  readonly onNotice?: (line: string) => void;
}

/** Places of a bundle and of the models that it names. */
export interface BundleOptions extends DeploymentOptions {
  /** Folder of the bundle. Default: `bundle`. */
  readonly bundle?: string;
  /** Folder of models other than the built-in one. Default: `models`. */
  readonly models?: string;
}
