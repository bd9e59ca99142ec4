import { Group, Kbd, Modal, Table } from '@mantine/core';
import { formatKeys, useCommands } from '../../ui/commands.ts';

/** Lists the keyboard shortcuts of the open page, and the global ones. */
export const KeysDialog = ({ onClose }: { onClose: () => void }) => {
  const commands = useCommands();
  const bound = commands.filter(
    ({ keys }, index) => keys && commands.findIndex((other) => other.keys === keys) === index,
  );
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {bound.map(({ keys = '', label }) => (
            <Table.Tr key={keys}>
              <Table.Td>{label}</Table.Td>
              <Table.Td>
                <Group gap={4} justify="flex-end">
                  {formatKeys(keys).map((key) => (
                    <Kbd key={key}>{key}</Kbd>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
};
