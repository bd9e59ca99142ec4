// `muster settings`: the reference of all settings, for a terminal or as Markdown for the documentation.
import { listSettings } from '../platform/index.ts';

type Group = ReturnType<typeof listSettings>[number];

const toText = ({ title, settings }: Group): string => {
  const lines = settings.map((each) => `  ${each.name} (${each.default})\n      ${each.meaning}`);
  return `${title}\n${lines.join('\n')}\n`;
};

const toMarkdown = ({ title, settings }: Group): string => {
  const head = [`## ${title}`, '', '| Variable | Default | Meaning |', '|---|---|---|'];
  const rows = settings.map((each) => `| \`${each.name}\` | ${each.default} | ${each.meaning} |`);
  return [...head, ...rows, ''].join('\n');
};

export const printSettings = ({ markdown }: { markdown?: boolean }): void => {
  const groups = listSettings().map(markdown ? toMarkdown : toText);
  process.stdout.write(groups.join('\n'));
};
