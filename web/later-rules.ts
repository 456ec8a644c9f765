import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

/**
 * The rules of a form, fetched when somebody goes into it: they weigh as much as the page, and most who see a form know what to type.
 * The server checks the same, so where they cannot be fetched, it alone does.
 */
export function laterRules<Typed extends FieldValues, Read>(fetchRules: () => Promise<z.ZodType<Read, Typed>>) {
  const fetchBoth = () => Promise.all([import('@hookform/resolvers/zod'), fetchRules()])
  const resolver: Resolver<Typed, unknown, Read> = async (values, context, options) => {
    const fetched = await fetchBoth().catch(() => undefined)
    if (!fetched) return { values: values as unknown as Read, errors: {} }
    const [{ zodResolver }, rules] = fetched
    return zodResolver(rules)(values, context, options)
  }
  return { resolver, fetch: () => void fetchBoth().catch(() => {}) }
}
