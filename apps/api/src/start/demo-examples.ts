/** Ids of demo data that sample requests use. */
export type DemoExamples = {
  sandboxId: string;
  /** A session with a free seat that a player from anywhere may take. */
  join: { platform: string; platformSessionId: string; teamId: number; clientVersion: string };
};
