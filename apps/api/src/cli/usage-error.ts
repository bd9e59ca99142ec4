/** A command was called incorrectly. An empty message prints the whole usage. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
