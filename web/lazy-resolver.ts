import type { FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

/**
 * The validation schema of a form, loaded on first focus: it is as large as the rest of the page, and most visitors never use the form.
 * If it cannot be loaded, only the server validates, with the same schema.
 */
export function lazyZodResolver<Typed extends FieldValues, Read>(fetchRules: () => Promise<z.ZodType<Read, Typed>>) {
  const fetchBoth = () => Promise.all([import('@hookform/resolvers/zod'), fetchRules()])
  const resolver: Resolver<Typed, unknown, Read> = async (values, context, options) => {
    const fetched = await fetchBoth().catch(() => undefined)
    if (!fetched) return { values: values as unknown as Read, errors: {} }
    const [{ zodResolver }, rules] = fetched
    return zodResolver(rules)(values, context, options)
  }
  return { resolver, preload: () => void fetchBoth().catch(() => {}) }
}
