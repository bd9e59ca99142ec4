import { Button, Group, Modal, Progress, Text } from '@mantine/core';

type ProgressDialogProps = {
  opened: boolean;
  title: string;
  done: number;
  /** Unknown: the bar only shows that something happens. */
  total?: number;
  /** What is counted, where it is not plain. */
  unit?: string;
  /** False when it closes and what comes next takes the focus, instead of what opened it. */
  returnFocus?: boolean;
  /** Stops after the step that is under way. */
  onCancel: () => void;
};

/** Long work in steps. It cannot be closed by accident, but cancelled at any time. */
export const ProgressDialog = (props: ProgressDialogProps) => {
  const { opened, title, done, total, unit, returnFocus = true, onCancel } = props;
  const percent = total ? Math.min(100, Math.round((100 * done) / total)) : 100;
  const count = done.toLocaleString('en');
  return (
    <Modal
      opened={opened}
      onClose={onCancel}
      title={title}
      returnFocus={returnFocus}
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      <Progress value={percent} animated={total === undefined} aria-label={title} mb="xs" />
      <Group justify="space-between">
        <Text size="xs" c="dimmed" className="numbers" aria-live="polite">
          {total === undefined ? count : `${count} of ${total.toLocaleString('en')}`} {unit}
        </Text>
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
};
