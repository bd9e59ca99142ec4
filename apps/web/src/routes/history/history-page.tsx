// What happened in a sandbox: every version of every record, or all records as they were at a moment.
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../components/page/page.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { AsOfList } from './as-of/as-of-list.tsx';
import { ExportMenu } from './export-menu.tsx';
import { HistoryList } from './history-list.tsx';

const route = getRouteApi('/app/s/$sandbox/history');

const VIEWS = [
  { value: 'versions', label: 'Every change' },
  { value: 'as-of', label: 'As of a moment' },
];

export const HistoryPage = () => {
  const { sandbox } = route.useParams();
  const { view } = route.useSearch();
  const change = useUrlChange();
  const show = (next: string) =>
    change({
      view: next === 'as-of' ? next : undefined,
      ...{ version: undefined, sel: undefined, cols: undefined },
    });
  return (
    <Page
      title="History"
      layout="fill"
      actions={
        <>
          <SegmentedControl
            aria-label="What is listed"
            data={VIEWS}
            value={view ?? 'versions'}
            onChange={show}
          />
          {view === undefined && <ExportMenu sandbox={sandbox} />}
        </>
      }
    >
      {view === 'as-of' ? <AsOfList sandbox={sandbox} /> : <HistoryList sandbox={sandbox} />}
    </Page>
  );
};
