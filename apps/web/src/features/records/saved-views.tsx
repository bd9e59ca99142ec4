// Saved views of a list: open one, save the list as one, share and remove them.
import { Box, Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import { notifyDone } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { Tag } from '../../ui/facts.tsx';
import { FormError } from '../../ui/forms.tsx';
import { QueryState } from '../../ui/states.tsx';
import { useUrlValues } from '../../ui/url-state.tsx';
import type { RecordKind } from './record-kind.ts';

type SavedView = ApiOutputs['views']['list']['views'][number];

const VIEW_KEYS = [trpc.views.pathKey()];

const useMayShare = (): boolean => usePermission(['sandbox:config:edit'], useSandboxId());

/** The filters, columns and sort of the list as a query string. A selection is not part of a view. */
const useSearchText = (): string => {
  const { options } = useRouter();
  const { sel, ...values } = useUrlValues();
  return options.stringifySearch(values);
};

type OfKind = { kind: RecordKind };

export const SavedViews = ({ kind }: OfKind) => {
  const [isOpen, setOpen] = useState(false);
  const input = { sandbox_id: useSandboxId(), kind: kind.kind };
  const views = useQuery({ ...trpc.views.list.queryOptions(input), enabled: isOpen });
  const close = () => setOpen(false);
  return (
    <Popover
      position="bottom-end"
      trapFocus
      returnFocus
      width={340}
      opened={isOpen}
      onChange={setOpen}
    >
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!isOpen)}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Views">
        <Stack gap="md">
          <QueryState query={views}>
            {({ views: found }) =>
              found.length === 0 ? (
                <Text size="sm">There is no saved view of {kind.many} yet.</Text>
              ) : (
                <Stack gap="xs" mah="45vh" style={{ overflowY: 'auto' }}>
                  {found.map((view) => (
                    <ViewRow key={view.view_id} view={view} onOpen={close} />
                  ))}
                </Stack>
              )
            }
          </QueryState>
          <SaveViewForm kind={kind} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
};

type ViewRowProps = { view: SavedView; onOpen: () => void };

const ViewRow = ({ view, onOpen }: ViewRowProps) => {
  const { view_id, name, shared } = view;
  const navigate = useNavigate();
  const { options } = useRouter();
  const sandbox_id = useSandboxId();
  const search = useSearchText();
  const mayShare = useMayShare();
  const open = () => {
    void navigate({ to: '.', search: options.parseSearch(view.search) as never });
    onOpen();
  };
  const place = { sandbox_id, view_id };
  const update = useMutation({
    mutationFn: (changes: { search?: string; shared?: boolean }) =>
      api.views.update.mutate({ ...place, ...changes }),
    meta: { invalidates: VIEW_KEYS },
    onSuccess: () => notifyDone(`Saved the view "${name}".`),
  });
  const remove = useMutation({
    mutationFn: () => api.views.remove.mutate(place),
    meta: { invalidates: VIEW_KEYS },
    onSuccess: () => notifyDone(`Removed the view "${name}".`),
  });
  const isBusy = update.isPending || remove.isPending;
  return (
    <div>
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="subtle"
          size="compact-sm"
          px={0}
          miw={0}
          aria-current={search === view.search || undefined}
          onClick={open}
        >
          <Text span truncate inherit>
            {name}
          </Text>
        </Button>
        {shared && (
          <Box flex="none">
            <Tag tone="info">shared</Tag>
          </Box>
        )}
      </Group>
      {(mayShare || !shared) && (
        <Group gap="xs">
          {search !== view.search && (
            <SmallButton of={name} isBusy={isBusy} onClick={() => update.mutate({ search })}>
              Replace with this list
            </SmallButton>
          )}
          {mayShare && (
            <SmallButton
              of={name}
              isBusy={isBusy}
              onClick={() => update.mutate({ shared: !shared })}
            >
              {shared ? 'Unshare' : 'Share'}
            </SmallButton>
          )}
          <SmallButton of={name} isBusy={isBusy} onClick={() => remove.mutate()}>
            Remove
          </SmallButton>
        </Group>
      )}
    </div>
  );
};

type SmallButtonProps = { of: string; isBusy: boolean; onClick: () => void; children: string };

const SmallButton = ({ of, isBusy, onClick, children }: SmallButtonProps) => (
  <Button
    variant="subtle"
    color="gray"
    size="compact-xs"
    px={0}
    fw={400}
    aria-label={`${children}: ${of}`}
    disabled={isBusy}
    onClick={onClick}
  >
    {children}
  </Button>
);

/** Saves the filters, columns and sort of the list as it is. */
export const SaveViewForm = ({ kind }: OfKind) => {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const sandbox_id = useSandboxId();
  const search = useSearchText();
  const mayShare = useMayShare();
  const create = useMutation({
    mutationFn: () =>
      api.views.create.mutate({ sandbox_id, kind: kind.kind, name, search, shared: isShared }),
    meta: { invalidates: VIEW_KEYS, showsFailure: true },
    onSuccess: () => {
      notifyDone(`Saved the view "${name}".`);
      setName('');
      setShared(false);
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') create.mutate();
  };
  return (
    <form onSubmit={save}>
      <Stack gap="xs">
        <FormError error={create.error} fields={[]} />
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label="Save as a view"
            placeholder="Name"
            maxLength={256}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </Group>
        {mayShare && (
          <Checkbox
            label="Share with everyone who may view the sandbox"
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </form>
  );
};
