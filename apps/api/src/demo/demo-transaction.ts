/** The connection of the one transaction that loads the demo. */
export type DemoTransaction = {
  query(text: string, values?: unknown[]): Promise<unknown>;
};
