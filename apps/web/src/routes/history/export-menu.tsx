import { Button, Menu } from '@mantine/core';
import { useUrlValues } from '../../components/url/url-state.ts';
import { HISTORY_FILTERS } from './history-filters.tsx';

const KINDS = { item: 'Items', xp: 'Xp tables' } as const;
const FORMATS = { csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, for programs' } as const;

type Kind = keyof typeof KINDS;
type Format = keyof typeof FORMATS;

/** Exactly what the filters show, as a file; one for each kind, since their columns differ. */
export const ExportMenu = ({ sandbox }: { sandbox: string }) => {
  const values = useUrlValues();
  const kinds = values.kind === 'item' || values.kind === 'xp' ? [values.kind] : ['item', 'xp'];
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default">Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(kinds as Kind[]).map((kind) => (
          <div key={kind}>
            <Menu.Label>History of {KINDS[kind]}</Menu.Label>
            {(Object.keys(FORMATS) as Format[]).map((format) => (
              <Menu.Item
                key={format}
                component="a"
                href={exportUrl(sandbox, kind, format, values)}
                download
              >
                {FORMATS[format]}
              </Menu.Item>
            ))}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const exportUrl = (
  sandbox: string,
  kind: Kind,
  format: Format,
  values: Readonly<Record<string, unknown>>,
): string => {
  const query = new URLSearchParams({ view: 'versions', format });
  for (const name of HISTORY_FILTERS) {
    if (name !== 'kind' && values[name] !== undefined) query.set(name, String(values[name]));
  }
  return `/admin/export/${sandbox}/${kind}?${query}`;
};
