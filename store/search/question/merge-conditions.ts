import { narrow } from './number-conditions.ts'
import type { Condition } from './vocabulary.ts'

/**
 * What two mentions of one attribute ask for together: a second one narrows its range; of choices, a product has one of both, or of what both mean.
 * @param replacesValues the choices of the second are all that is asked for
 * @returns `isEither`: choices of both that have none in common were joined
 */
export function mergeConditions(
  before: Condition,
  second: Condition,
  replacesValues: boolean,
): { condition: Condition; isEither: boolean } {
  const common = replacesValues ? second.values : before.values?.filter((value) => second.values?.includes(value))
  const values = common?.length ? common : [...new Set([...(before.values ?? []), ...(second.values ?? [])])]
  const not = [...new Set([...(before.not ?? []), ...(second.not ?? [])])]
  return {
    condition: {
      ...before,
      ...second,
      ...narrow(before, second),
      ...(values.length > 0 && { values }),
      ...(not.length > 0 && { not }),
    },
    isEither: !common?.length && !!before.values?.length && !!second.values?.length,
  }
}
