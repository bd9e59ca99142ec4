/** A command was called in a wrong way. An empty message stands for the whole usage. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
