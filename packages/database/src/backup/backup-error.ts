/** A backup or a restore cannot be made; the message is one sentence for people. */
export class BackupError extends Error {
  override name = 'BackupError';
}
