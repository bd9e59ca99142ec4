// `muster settings`: the reference of all settings, for a terminal or as the Markdown of the documentation.
import { listSettings } from '../platform/index.ts';

const toText = (): string =>
  listSettings()
    .map(({ title, settings }) => {
      const lines = settings.map(
        (each) => `  ${each.name} (${each.default})\n      ${each.meaning}`,
      );
      return `${title}\n${lines.join('\n')}\n`;
    })
    .join('\n');

const toMarkdown = (): string =>
  listSettings()
    .map(({ title, settings }) => {
      const rows = settings.map(
        (each) => `| \`${each.name}\` | ${each.default} | ${each.meaning} |`,
      );
      return [
        `## ${title}`,
        '',
        '| Variable | Default | Meaning |',
        '|---|---|---|',
        ...rows,
        '',
      ].join('\n');
    })
    .join('\n');

export const printSettings = ({ markdown }: { markdown?: boolean }): void => {
  process.stdout.write(markdown ? toMarkdown() : toText());
};
