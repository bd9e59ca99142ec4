// The catalogue of provider states: few, with parameters, each with its opposite.
import type { z } from 'zod';
import { theCaller } from './caller-state.ts';
import { anEmptyHistory, anItemWithVersions, anXpTableWithVersions } from './history-states.ts';
import { aKnownPlayer, noSuchPlayer } from './player-states.ts';
import { aSession, noSuchPlatformSession } from './session-states.ts';

export const PROVIDER_STATES = [
  aSession,
  noSuchPlatformSession,
  aKnownPlayer,
  noSuchPlayer,
  anItemWithVersions,
  anXpTableWithVersions,
  anEmptyHistory,
  theCaller,
] as const;

export type ProviderState = (typeof PROVIDER_STATES)[number];
export type ProviderStateName = ProviderState['name'];
type StateNamed<Name extends ProviderStateName> = Extract<ProviderState, { name: Name }>;

/** What a consumer may write for a state; everything that has a default may be left out. */
export type ProviderStateParameters<Name extends ProviderStateName> = z.input<
  StateNamed<Name>['parameters']
>;

/** A state as it is applied: every default filled in. */
export type ResolvedState = {
  [Name in ProviderStateName]: {
    name: Name;
    parameters: z.output<StateNamed<Name>['parameters']>;
  };
}[ProviderStateName];

export type SessionStateParameters = z.output<typeof aSession.parameters>;
export type ItemStateParameters = z.output<typeof anItemWithVersions.parameters>;
export type XpStateParameters = z.output<typeof anXpTableWithVersions.parameters>;
export type CallerStateParameters = z.output<typeof theCaller.parameters>;

export const findProviderState = (name: string): ProviderState | null =>
  PROVIDER_STATES.find((state) => state.name === name) ?? null;
