// Items with values that do not fit a schema, and the versions of the schema.
import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { ITEM } from '../records/record-kind.ts';
import { RecordLink } from '../records/record-links.tsx';
import type { ItemSchema } from './schema-queries.ts';

type OfType = { itemType: ItemSchema['item_type'] };

const useInput = ({ itemType }: OfType) => ({
  sandbox_id: useSandboxId(),
  item_type: itemType as 'unit',
});

const FIRST_PAGE: string | undefined = undefined;

const nextCursor = ({ page_meta }: { page_meta: { cursor?: string } }) => page_meta.cursor;

export const SchemaProblems = (props: OfType) => {
  const input = useInput(props);
  const query = useInfiniteQuery({
    queryKey: [...trpc.itemSchemas.pathKey(), 'problems', input],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.itemSchemas.problems.query({ ...input, cursor }, { signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
    // Edits of Items on other pages change the problems.
    staleTime: 0,
  });
  return (
    <QueryState query={query}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        return (
          <Stack gap="xs">
            <Text size="sm">{describeCount(items.length, query.hasNextPage)}</Text>
            <ul className="plain">
              {items.map(({ item_id, name, problems }) => (
                <li key={item_id}>
                  <RecordLink kind={ITEM} id={item_id} name={name} />
                  <ul>
                    {problems.map(({ key, msg, value }) => (
                      <li key={key}>
                        {key}
                        {value !== undefined && ` (${value})`}: {msg}
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
            {query.hasNextPage && <MoreButton query={query} />}
          </Stack>
        );
      }}
    </QueryState>
  );
};

/** A page is a search among a bounded number of Items, so the count is exact only at the end. */
const describeCount = (count: number, hasMore: boolean): string => {
  if (count === 0) return hasMore ? 'No Items found so far.' : 'All values fit.';
  const items = `${count.toLocaleString('en')} ${count === 1 ? 'Item' : 'Items'}`;
  return hasMore ? `At least ${items}` : items;
};

export const SchemaVersions = (props: OfType) => {
  const input = useInput(props);
  const query = useInfiniteQuery({
    queryKey: [...trpc.itemSchemas.pathKey(), 'versions', input],
    queryFn: ({ pageParam: cursor, signal }) =>
      api.itemSchemas.history.query({ ...input, cursor }, { signal }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: nextCursor,
  });
  return (
    <QueryState query={query}>
      {({ pages }) => (
        <Stack gap="xs">
          <ol className="plain">
            {pages
              .flatMap((page) => page.versions)
              .map((version) => (
                <li key={version.version}>
                  <Version version={version} />
                </li>
              ))}
          </ol>
          {query.hasNextPage && <MoreButton query={query} />}
        </Stack>
      )}
    </QueryState>
  );
};

const Version = ({ version }: { version: ItemSchema }) => {
  const keys = version.fields.map(({ key }) => key).join(', ') || 'no fields';
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      Version {version.version}: {keys}. Saved{' '}
      {version.created && <TimeText at={version.created} />}
      {version.account_id && (
        <>
          {' '}
          by <AccountName id={version.account_id} />
        </>
      )}
      {version.source_version && ' (copied from another sandbox)'}
      {version.reason && `: ${version.reason}`}
    </Text>
  );
};

type MoreButtonProps = { query: { isFetchingNextPage: boolean; fetchNextPage: () => unknown } };

const MoreButton = ({ query }: MoreButtonProps) => (
  <div>
    <Button
      variant="default"
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      Load more
    </Button>
  </div>
);
