// What happened, newest first. New events wait while somebody reads: nothing moves under the cursor.
import { Button, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Rows } from '../../components/data-table/rows.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { LoadingState } from '../../components/states/loading-state.tsx';
import type { TimelineEvent } from './event-sentence.tsx';
import classes from './timeline.module.css';
import { TimelineRow } from './timeline-row.tsx';
import { useIsReading } from './use-is-reading.ts';

export const Timeline = ({ rows }: { rows: Rows<TimelineEvent> }) => {
  const section = useRef<HTMLElement>(null);
  const isReading = useIsReading(section);
  const { arrivals, showArrivals } = rows;
  const shown = useRef(0);
  useEffect(() => {
    if (arrivals > 0 && !isReading && shown.current !== arrivals) showArrivals();
    shown.current = isReading ? 0 : arrivals;
  }, [arrivals, isReading, showArrivals]);
  return (
    <section ref={section} aria-labelledby="timeline">
      <div className={classes.bar}>
        <Title order={2} id="timeline">
          Timeline
        </Title>
        {arrivals > 0 && isReading && (
          <Button variant="light" size="compact-xs" onClick={showArrivals}>
            Show {arrivals} new
          </Button>
        )}
      </div>
      <Events rows={rows} />
    </section>
  );
};

const Events = ({ rows }: { rows: Rows<TimelineEvent> }) => {
  if (rows.isLoading) return <LoadingState lines={5} />;
  if (rows.error && rows.rows.length === 0) {
    return <ErrorState error={rows.error} onRetry={rows.refetch} />;
  }
  if (rows.rows.length === 0) return <EmptyState title="Nothing has happened yet" />;
  return (
    <>
      <ol className={classes.list}>
        {rows.rows.map((event) => (
          <TimelineRow key={event.event_id} event={event} />
        ))}
      </ol>
      {rows.hasMore && (
        <Button variant="default" mt="sm" loading={rows.isLoadingMore} onClick={rows.loadMore}>
          Show older events
        </Button>
      )}
    </>
  );
};
