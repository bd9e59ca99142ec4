// A case is data: the section it belongs to, the sentence it proves, and how it proves it.
import type { Context } from './target/context.ts';

export type Case = {
  readonly section: string;
  /** The sentence of the interface or of its decisions that the case proves. */
  readonly title: string;
  /** Throws when the service breaks the sentence; makes its own fixtures, so that cases are independent. */
  readonly run: (context: Context) => Promise<void>;
};

export type Prove = (title: string, run: Case['run']) => Case;

/** Binds a section, so that a file of cases reads as a list of sentences. */
export const inSection =
  (section: string): Prove =>
  (title, run) => ({ section, title, run });

/** Thrown by a case that this run has no means for, such as the signing secret; the message says why. */
export class SkippedCase extends Error {
  override readonly name = 'SkippedCase';
}
