// The history of a sandbox: its edits, all versions of all records, or all records as they were at a point in time.

import { SegmentedControl } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { ExportButton } from '../../../../features/export/export-button.tsx';
import { AsOfList } from '../../../../features/history/as-of-list.tsx';
import { EditList } from '../../../../features/history/edit-list.tsx';
import { HistoryList } from '../../../../features/history/history-list.tsx';
import {
  editsOptions,
  HISTORY_FILTERS,
  HistorySearch,
  historyOptions,
} from '../../../../features/history/history-query.ts';
import { PastActions } from '../../../../features/history/past-actions.tsx';
import type { RecordKind } from '../../../../features/records/record-kind.ts';
import { RECORD_KINDS } from '../../../../features/records/record-kind.ts';
import { Page } from '../../../../ui/page.tsx';
import { prefetchRows } from '../../../../ui/table/paged-rows.ts';
import { useUrlChange, useUrlValues } from '../../../../ui/url-state.tsx';

export const Route = createFileRoute('/_app/s/$sandbox/history')({
  validateSearch: HistorySearch,
  loaderDeps: ({ search: { version, edit, sel, cols, sort, ...filters } }) => filters,
  loader: ({ params, deps }) => {
    if (deps.view === undefined) prefetchRows(editsOptions(params.sandbox));
    if (deps.view === 'versions') prefetchRows(historyOptions(params.sandbox, deps));
  },
  component: HistoryPage,
});

const VIEWS = [
  { value: 'edits', label: 'Edits' },
  { value: 'versions', label: 'Versions' },
  { value: 'as-of', label: 'Point in time' },
];

const NO_FILTERS = Object.fromEntries(HISTORY_FILTERS.map((name) => [name, undefined]));

function HistoryPage() {
  const { view = 'edits' } = Route.useSearch();
  const List = LISTS[view];
  const change = useUrlChange();
  const show = (next: string) =>
    change({
      ...(next === 'edits' && NO_FILTERS),
      view: next === 'edits' ? undefined : next,
      version: undefined,
      edit: undefined,
      sel: undefined,
      cols: undefined,
    });
  return (
    <Page
      title="History"
      layout="fill"
      actions={
        <>
          <SegmentedControl aria-label="View" data={VIEWS} value={view} onChange={show} />
          {view === 'versions' && <VersionsExport />}
          {view === 'as-of' && <PastActions />}
        </>
      }
    >
      <List />
    </Page>
  );
}

const LISTS = { edits: EditList, versions: HistoryList, 'as-of': AsOfList };

type Kind = RecordKind['kind'];

/** Exports the filtered versions. Each kind has its own file, because the columns differ. */
const VersionsExport = () => {
  const { sandbox } = Route.useParams();
  const values = useUrlValues();
  const kinds = values.kind === 'item' || values.kind === 'xp' ? [values.kind] : ['item', 'xp'];
  const lists = (kinds as Kind[]).map((kind) => ({
    kind,
    label: `History of ${RECORD_KINDS[kind].many}`,
    toUrl: (format: string) => exportUrl(sandbox, kind, format, values),
  }));
  return <ExportButton lists={lists} />;
};

const exportUrl = (
  sandbox: string,
  kind: Kind,
  format: string,
  values: Readonly<Record<string, unknown>>,
): string => {
  const query = new URLSearchParams({ view: 'versions', format });
  for (const name of HISTORY_FILTERS) {
    if (name !== 'kind' && values[name] !== undefined) query.set(name, String(values[name]));
  }
  return `/admin/export/${sandbox}/${kind}?${query}`;
};
