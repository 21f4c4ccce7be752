declare module 'mvdan-sh' {
  const sh: {
    readonly syntax: {
      readonly NewParser: () => { readonly Parse: (text: string, name: string) => unknown };
      readonly Walk: (node: unknown, visit: (node: never) => boolean) => void;
      readonly NodeType: (node: unknown) => string;
    };
  };
  export default sh;
}
