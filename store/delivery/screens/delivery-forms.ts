import * as z from 'zod'
import { parseWholeNumber } from '#shared/parse-whole-number.ts'
import { parseAmountToCents } from '#shared/typed-amount.ts'
import { numberInputSchema } from '#shared/whole-number.ts'
import { NewDeliveryMethod, NewDeliveryZone } from '#store/delivery/contract.ts'
import { CostPreviewQuestion } from '#store/delivery/cost-preview-contract.ts'
import { DeliverySettings } from '#store/delivery/settings-contract.ts'
import { emptyAsNull, withIssuesOf } from '#store/tax/screens/tax-forms.ts'
import { parseSteps, parseWeight } from './steps-text.ts'

/* The forms of the page Delivery: what is typed is text. */

const nullIfEmpty = (text: string): string | null => (text.trim() === '' ? null : text)

/** Checks what a text was split into; of what is wrong the first message stands at the field. */
const checkedParts = <Part, Checked>(split: (text: string) => Part[], schema: z.ZodType<Checked, Part[]>) =>
  z.string().transform((text, { addIssue }): Checked => {
    const parts = split(text)
    const { data, error } = schema.safeParse(parts)
    if (data !== undefined) return data
    const [issue] = error?.issues ?? []
    const wrong = typeof issue?.path[0] === 'number' ? parts[issue.path[0]] : undefined
    addIssue(typeof wrong === 'string' ? `${wrong}: ${issue?.message}` : (issue?.message ?? 'This is not valid'))
    return z.NEVER
  })

/** Texts with commas or line ends between them. */
const listInput = (list: z.ZodType<string[], string[]>) => checkedParts((text) => splitTrimmed(text, /[,;\n]/), list)

const splitTrimmed = (text: string, separator: RegExp | string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

const { unknownWeightGrams, timeZone, assumedDeliveryDays, assumedDeliveryDaysAbroad, withdrawalEverywhere } = DeliverySettings.shape
export const deliverySettingsFormSchema = z.object({
  timeZone,
  unknownWeightGrams: emptyAsNull(numberInputSchema(unknownWeightGrams.unwrap(), 'Enter a weight, like 500 g or 1.5 kg', parseWeight)),
  assumedDeliveryDays: numberInputSchema(assumedDeliveryDays, 'Enter a whole number of days', parseWholeNumber),
  assumedDeliveryDaysAbroad: numberInputSchema(assumedDeliveryDaysAbroad, 'Enter a whole number of days', parseWholeNumber),
  withdrawalEverywhere,
})
export type DeliverySettingsFormInput = z.input<typeof deliverySettingsFormSchema>

const zoneFields = NewDeliveryZone.shape
export const zoneFormSchema = z
  .object({
    name: zoneFields.name,
    countries: listInput(zoneFields.countries),
    states: listInput(zoneFields.states),
    postalPrefixes: listInput(zoneFields.postalPrefixes),
  })
  .superRefine(withIssuesOf(NewDeliveryZone))
export type ZoneFormInput = z.input<typeof zoneFormSchema>

/**
 * One transform for all fields: what the steps mean is said by another one, and all that is wrong is to be said at once.
 * @param categories by which the names of categories that are typed are found
 */
export const createMethodFormSchema = (categories: { key: string; label: string }[]) =>
  z
    .object({
      ...{
        name: z.string(),
        carrier: z.string(),
        pricedBy: NewDeliveryMethod.shape.pricedBy,
        steps: z.string(),
        freeFromCents: z.string(),
      },
      ...{ daysFrom: z.string(), daysTo: z.string(), cutOff: z.string(), handlingDays: z.string(), notForCategories: z.string() },
    })
    .transform((typed, { addIssue }) => {
      const reject = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
      const steps = parseSteps(typed.steps, typed.pricedBy)
      if ('wrongLine' in steps) reject('steps', `“${steps.wrongLine}” is no step: write it as ${exampleStep[typed.pricedBy]}`)
      const method = {
        ...{ name: typed.name, carrier: nullIfEmpty(typed.carrier), pricedBy: typed.pricedBy, cutOff: nullIfEmpty(typed.cutOff) },
        steps: 'wrongLine' in steps ? [{ upTo: null, priceCents: 0 }] : steps,
        freeFromCents: nullIfEmpty(typed.freeFromCents) === null ? null : parseAmountToCents(typed.freeFromCents),
        daysFrom: parseWholeNumber(typed.daysFrom),
        daysTo: parseWholeNumber(typed.daysTo),
        handlingDays: parseWholeNumber(typed.handlingDays),
        notForCategories: splitTrimmed(typed.notForCategories, ',').map((text) => {
          const found = categories.find(({ key, label }) => [key, label.toLowerCase()].includes(text.toLowerCase()))
          if (!found) reject('notForCategories', `There is no category ${text}`)
          return found?.key ?? text
        }),
      }
      const { data, error } = NewDeliveryMethod.safeParse(method)
      for (const { path, message } of error?.issues ?? []) reject(String(path[0]), message)
      return data ?? z.NEVER
    })
export type MethodFormInput = z.input<ReturnType<typeof createMethodFormSchema>>

export const exampleStep = { weight: '2 kg: 4.90', goods: '50: 4.90' } as const

const previewFields = CostPreviewQuestion.shape
/** A line each: a SKU, and how many pieces; one where nothing is said. */
const splitBasket = (text: string) =>
  splitTrimmed(text, '\n').map((line) => {
    const [, sku = '', quantity = '1'] = /^(.*?)(?:[\s,;]+(\d+))?$/.exec(line) ?? []
    return { sku, quantity }
  })

export const costPreviewFormSchema = z.object({
  lines: checkedParts(splitBasket, previewFields.lines),
  country: previewFields.country,
  state: emptyAsNull(previewFields.state.unwrap().unwrap()),
  postalCode: emptyAsNull(previewFields.postalCode.unwrap().unwrap()),
  vatId: emptyAsNull(previewFields.vatId.unwrap().unwrap()),
})
export type CostPreviewFormInput = z.input<typeof costPreviewFormSchema>
