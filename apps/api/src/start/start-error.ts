/** The service cannot start, for a reason that one sentence explains. Printed without a stack trace. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
