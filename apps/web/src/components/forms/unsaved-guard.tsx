import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';

/**
 * Asks before a page with unsaved changes is left: by a link, by Back, and (in the browser's words) by
 * closing the tab. Changing only the search part of the address leaves nothing.
 */
export const UnsavedGuard = ({ isUnsaved }: { isUnsaved: boolean }) => {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isUnsaved && current.pathname !== next.pathname,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Leave without saving?"
    >
      <Text mb="md">What you changed on this page is not saved yet.</Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => blocker.proceed?.()}>
          Discard changes
        </Button>
        <Button data-autofocus onClick={() => blocker.reset?.()}>
          Keep editing
        </Button>
      </Group>
    </Modal>
  );
};
