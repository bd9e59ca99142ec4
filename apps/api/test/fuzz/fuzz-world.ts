// The service that is fuzzed, with something of everything in its database, and the values by which requests can name it.
import { createAdminCaller } from '../admin-caller.ts';
import type { SignedInPerson } from '../create-person.ts';
import type { TestService } from '../start-test-service.ts';
import { startTestService } from '../start-test-service.ts';
import { fillCatalogue, fillPlayers } from './fill-world.ts';
import { knownValues } from './known-values.ts';
import { renewWorld } from './renew-world.ts';
import { closeWire } from './wire-request.ts';
import type { WriteWatch } from './write-watch.ts';
import { watchWrites } from './write-watch.ts';

export type FuzzWorld = {
  service: TestService;
  owner: SignedInPerson;
  authorization: string;
  watch: WriteWatch;
  /** By the name of the property: values that exist. */
  known(property: string): readonly unknown[] | undefined;
  /** Makes anew what requests use up: seats, keys, invitations, records. */
  renew(): Promise<void>;
  close(): Promise<void>;
};

export const createFuzzWorld = async (): Promise<FuzzWorld> => {
  // Every request comes from an address of its own, so that sign-ins are not all refused for their number.
  const service = await startTestService({ env: { TRUST_PROXY: '1' } });
  const { authorization = '' } = await service.headers();
  const admin = createAdminCaller(service.baseUrl, { authorization });
  const owner = await service.createPerson({ role: 'owner' });
  await fillPlayers(admin);
  await fillCatalogue(admin);
  const watch = await watchWrites(service.databaseUrl);
  let round = 0;
  let known = new Map<string, readonly unknown[]>();
  const renew = async () => {
    round += 1;
    known = await knownValues(admin, await renewWorld({ service, admin, round }));
    await watch.look();
  };
  await renew();
  return {
    ...{ service, owner, authorization, watch, renew },
    known: (property) => known.get(property),
    close: async () => {
      closeWire();
      await watch.close();
      await service.close();
    },
  };
};
