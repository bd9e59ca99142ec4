// Two sandboxes side by side: what only one of them has, what differs, and bringing it over.
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useSandboxes } from '../../access/sandboxes.ts';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { Differences } from './differences.tsx';
import { EndsForm } from './ends-form.tsx';
import type { Promoted } from './promote-panel.tsx';
import { PromotePanel } from './promote-panel.tsx';
import { PromotedNote } from './promoted-note.tsx';

const route = getRouteApi('/app/s/$sandbox/compare-sandboxes');

export const CompareSandboxesPage = () => {
  const { sandbox } = route.useParams();
  const { source: sourceId, kind = 'item', step } = route.useSearch();
  const [promoted, setPromoted] = useState<Promoted | null>(null);
  const all = useSandboxes();
  const target = all.find(({ sandbox_id }) => sandbox_id === sandbox);
  const others = all.filter(({ sandbox_id }) => sandbox_id !== sandbox);
  const named = others.find(({ sandbox_id }) => sandbox_id === sourceId);
  // Where there is only one to compare with, nobody needs to choose it.
  const source = named ?? (others.length === 1 && sourceId === undefined ? others[0] : undefined);
  if (!target || others.length === 0) return <Alone />;
  const isPromoting = source !== undefined && step === 'promote';
  return (
    <Page title="Compare sandboxes" layout={isPromoting || !source ? 'scroll' : 'fill'}>
      <EndsForm target={target} source={source} others={others} kind={kind} />
      {promoted && <PromotedNote promoted={promoted} onClose={() => setPromoted(null)} />}
      {!source && (
        <EmptyState title="Choose a sandbox to compare with">
          You see what only one of them has and which fields differ, and can bring chosen records
          into {target.name}.
        </EmptyState>
      )}
      {source && !isPromoting && <Differences {...{ source, target, kind }} />}
      {source && isPromoting && <PromotePanel {...{ source, target, kind }} onDone={setPromoted} />}
    </Page>
  );
};

const Alone = () => (
  <Page title="Compare sandboxes">
    <EmptyState title="There is no other sandbox to compare with">
      Your account sees one sandbox. Once it sees a second one, both can be compared here.
    </EmptyState>
  </Page>
);
