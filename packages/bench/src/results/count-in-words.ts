/** Such as "10 million" or "100 thousand"; numbers that are no whole thousands stay figures. */
export const countInWords = (count: number): string => {
  if (count >= 1_000_000 && count % 100_000 === 0) return `${count / 1_000_000} million`;
  return count % 1_000 === 0 ? `${count / 1_000} thousand` : String(count);
};
