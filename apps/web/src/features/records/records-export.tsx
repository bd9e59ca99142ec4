// Exports the records that the list shows, with all of its filters.
import { Button, Menu } from '@mantine/core';
import { useSandboxId } from '../../api/sandboxes.ts';
import { useUrlValues } from '../../ui/url-state.tsx';
import type { RecordKind } from './record-kind.ts';
import type { RecordsSearch } from './record-search.ts';

const FORMATS = { csv: 'CSV, for spreadsheets', ndjson: 'NDJSON, for programs' } as const;

export const RecordsExport = ({ kind }: { kind: RecordKind }) => {
  const sandbox = useSandboxId();
  const search: RecordsSearch = useUrlValues();
  const isFiltered = [search.name, search.type, search.tag, search.key, search.where].some(Boolean);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default">Export</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {isFiltered ? `${kind.many} that match the filters` : `All ${kind.many}`}
          {search.deleted && ', without deleted records'}
        </Menu.Label>
        {(Object.keys(FORMATS) as (keyof typeof FORMATS)[]).map((format) => (
          <Menu.Item
            key={format}
            component="a"
            href={`/admin/export/${sandbox}/${kind.kind}?${toQuery(format, search)}`}
            download
          >
            {FORMATS[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};

const toQuery = (
  format: string,
  { name, type, tag, key, where }: RecordsSearch,
): URLSearchParams => {
  const filters = { name, item_type: type, tag, custom_key: key };
  const query = new URLSearchParams({ format });
  for (const [parameter, value] of Object.entries(filters)) {
    if (value !== undefined) query.set(parameter, value);
  }
  if (typeof where === 'object') query.set('where', JSON.stringify(where));
  return query;
};
