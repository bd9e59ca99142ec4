/** As the service counts; it decides. */
const LENGTH = { min: 12, max: 128 };

export const PASSWORD_HINT = `At least ${LENGTH.min} characters. A few words are easy to keep in mind.`;

/** What is wrong with a new password, in words; null when nothing is. */
export const checkPassword = (password: string): string | null => {
  if (password.length < LENGTH.min) {
    return `This has ${password.length} characters: take at least ${LENGTH.min}.`;
  }
  return password.length > LENGTH.max ? `Take at most ${LENGTH.max} characters.` : null;
};
