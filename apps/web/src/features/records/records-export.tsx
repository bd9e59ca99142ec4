// Exports the records that the list shows, with all of its filters.
import { useSandboxId } from '../../api/sandboxes.ts';
import { useUrlValues } from '../../ui/url-state.tsx';
import { ExportButton } from '../export/export-button.tsx';
import type { RecordKind } from './record-kind.ts';
import type { RecordsSearch } from './record-search.ts';

type RecordsExportProps = {
  kind: RecordKind;
  /** The number of rows of the list, if it is known. */
  total: number | undefined;
};

export const RecordsExport = ({ kind, total }: RecordsExportProps) => {
  const sandbox = useSandboxId();
  const search: RecordsSearch = useUrlValues();
  const isFiltered = [search.name, search.type, search.tag, search.key, search.where].some(Boolean);
  const label = isFiltered ? `${kind.many} that match the filters` : `All ${kind.many}`;
  return (
    <ExportButton
      lists={[
        {
          kind: kind.kind,
          label: search.deleted ? `${label}, without deleted records` : label,
          toUrl: (format) => `/admin/export/${sandbox}/${kind.kind}?${toQuery(format, search)}`,
          total: search.deleted ? undefined : total,
        },
      ]}
    />
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
