import { InvalidFields } from '#api';
import { checkBlocks } from './check.ts';
import type { MenuOption, MenuOptionGroup } from './shapes/elements.ts';

/** The options, or groups of them, that an application offers in an `external_select`. */
export interface Offer {
  readonly options?: MenuOption[];
  readonly option_groups?: MenuOptionGroup[];
}

/** Where the checked element stands. */
const PLACE = 'blocks[0].elements[0].';

/** Reads what an application answered. They are the options of a `static_select`. @throws InvalidFields */
export function readOffer(given: { options?: unknown; option_groups?: unknown }): Offer {
  const { options, option_groups } = given;
  if (Array.isArray(options) && options.length === 0 && option_groups === undefined) return { options: [] };
  const offer = {
    ...(options !== undefined && { options }),
    ...(option_groups !== undefined && { option_groups }),
  };
  const found = checkBlocks([{ type: 'actions', elements: [{ type: 'static_select', ...offer }] }]);
  if (!('problems' in found)) return offer as Offer;
  throw new InvalidFields(
    found.problems.map(({ field, message }) =>
      field.startsWith(PLACE)
        ? { field: field.slice(PLACE.length), message }
        : { field: 'options', message: 'or option_groups is required' },
    ),
  );
}

export const valuesIn = ({ options = [], option_groups = [] }: Offer): string[] =>
  [...options, ...option_groups.flatMap((group) => group.options)].map(({ value }) => value);
