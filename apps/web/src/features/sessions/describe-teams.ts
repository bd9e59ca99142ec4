/** "2 teams of 4", "3 teams: 4, 4 and 2 seats", "1 team of 8". */
export const describeTeams = (teams: readonly { max_size: number }[]): string => {
  const sizes = teams.map(({ max_size }) => max_size);
  const [first] = sizes;
  if (first === undefined) return 'none';
  const count = `${sizes.length} ${sizes.length === 1 ? 'team' : 'teams'}`;
  if (sizes.every((size) => size === first)) return `${count} of ${first}`;
  return `${count}: ${new Intl.ListFormat('en').format(sizes.map(String))} seats`;
};
