import { type FocusEvent, type FormEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { storeCurrency } from '#shared/currency.ts'
import { formatNumber } from '#shared/format-number.ts'
import type { Facet } from '#store/search/contract.ts'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'
import { Amount } from '#web/money.tsx'
import type { AmountErrors } from './amount-errors.ts'
import { CategoryLinks } from './category-links.tsx'
import { ChoiceFacet } from './choice-facet.tsx'
import { NumberFacet } from './number-facet.tsx'
import { inStockCount, isAttributeFacet, isTableView, loweredCount, readSearchParams } from './search-url.ts'

/** Id of the filter form. Controls outside it, such as the sort order, belong to it by `form={filterFormId}`. */
export const filterFormId = 'filters'
const sheetId = 'filters-sheet'

type FiltersProps = {
  search: URLSearchParams
  facets: Facet[]
  /** number of applied filters, without search text and category */
  appliedCount: number
  total: number
  /** what is wrong with amounts of the URL */
  errors: AmountErrors
}

/**
 * The filters, as a plain HTML form that works without JavaScript. After hydration, each choice applies immediately, the focus stays where
 * it is, and Back reverts the choice.
 *
 * Long because it is one form of independent fields, and each part of its own weighs on a page that is close to its script budget.
 */
export const Filters = memo(function Filters({ search, facets, appliedCount, total, errors: urlErrors }: FiltersProps) {
  const question = readSearchParams(search)
  const chosen = (name: string) => question[name] ?? []
  const category = chosen('category')[0]
  const { errors, ...form } = useFilterForm(search, urlErrors)
  const piecesErrorId = errors.pieces && 'pieces-error'
  const priceErrorId = errors.price && 'price-error'
  const sheet = useCloseSheetWhenWide()
  const shown = facets.filter((facet) => facet.key === 'brand' || (category && isAttributeFacet(facet)))
  const others = hiddenParams(search, shown)
  const inStock = inStockCount(facets)
  const lowered = loweredCount(facets)
  const price = facets.filter((facet) => facet.kind === 'number').find(({ key }) => key === 'price')

  return (
    <section aria-labelledby="filters-title" className="text-sm">
      <button
        type="button"
        popoverTarget={sheetId}
        className="flex min-h-11 w-full items-center justify-between gap-2 rounded border border-edge bg-panel px-4 text-base font-semibold hover:border-ink lg:hidden"
      >
        {category ? 'Filters' : 'Categories and filters'}
        {appliedCount > 0 && ` (${appliedCount})`}
        <Icon name="plus" />
      </button>
      <div ref={sheet} id={sheetId} popover="auto" className="max-lg:sheet lg:unfolded max-lg:bg-panel max-lg:text-ink">
        {/* the sheet scrolls above its submit button, so the button covers nothing */}
        <div className="max-lg:max-h-[calc(80dvh-7rem)] max-lg:overflow-y-auto">
          <h2 id="filters-title" className="mb-4 text-lg lg:sr-only">
            Filters
          </h2>
          <CategoryLinks search={search} facets={facets} />
          <form id={filterFormId} action="/allproducts" {...form} className="flex flex-col gap-5">
            {others.map(([name, value]) => (
              <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
            ))}
            <FilterGroup title="Stock and price">
              <YesChoice name="in_stock" label="In stock" isChosen={chosen('in_stock').length > 0} count={inStock} />
              {(lowered !== undefined || chosen('lowered').length > 0) && (
                <YesChoice name="lowered" label="Price lowered" isChosen={chosen('lowered').length > 0} count={lowered} />
              )}
              <AmountField name="pieces" before="I need" after="pieces" value={chosen('pieces')[0]} errorId={piecesErrorId} />
              <AmountError id={piecesErrorId}>{errors.pieces}</AmountError>
              {/* beside each other only where both hold a price with cents */}
              <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <AmountField
                  name="price.min"
                  before={`from ${storeCurrency().symbol}`}
                  value={chosen('price.min')[0]}
                  errorId={priceErrorId}
                  isPrice
                />
                <AmountField
                  name="price.max"
                  before={`to ${storeCurrency().symbol}`}
                  value={chosen('price.max')[0]}
                  errorId={priceErrorId}
                  isPrice
                />
              </div>
              <AmountError id={priceErrorId}>{errors.price}</AmountError>
              {price && (
                <p className="text-soft">
                  Found from <Amount value={price.least} /> to <Amount value={price.most} />
                </p>
              )}
            </FilterGroup>
            {shown.map((facet) => {
              const name = facet.key
              return (
                <FilterGroup key={name} title={facet.kind === 'number' && facet.unit ? `${facet.label} (${facet.unit})` : facet.label}>
                  {facet.kind === 'choice' ? (
                    <ChoiceFacet facet={facet} name={name} chosen={chosen(name)} />
                  ) : (
                    <NumberFacet facet={facet} name={name} chosenMin={chosen(`${name}.min`)[0]} chosenMax={chosen(`${name}.max`)[0]} />
                  )}
                </FilterGroup>
              )
            })}
            <noscript>
              <Button type="submit">Show products</Button>
            </noscript>
            <InlineScript run={import.meta.env.SSR ? submitPreHydrationChoice : undefined} />
          </form>
        </div>
        <Button type="submit" form={filterFormId} className="needs-script mt-3 w-full lg:hidden">
          Show {formatNumber(total)} {total === 1 ? 'product' : 'products'}
        </Button>
      </div>
    </section>
  )
})

function FilterGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-1 border-t border-line pt-3">
      <legend className="float-left mb-1 w-full font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}

type YesChoiceProps = { name: string; label: string; isChosen: boolean; count: number | undefined }

function YesChoice({ name, label, isChosen, count }: YesChoiceProps) {
  return (
    <label className="flex min-h-8 items-center gap-2">
      <input type="checkbox" name={name} value="yes" defaultChecked={isChosen} className="size-4 accent-leaf" />
      <span className="grow">{label}</span>
      {count !== undefined && <span className="figures text-soft">{formatNumber(count)}</span>}
    </label>
  )
}

type AmountFieldProps = {
  name: string
  before: string
  after?: string
  value: string | undefined
  /** id of the text that says what is wrong with the value */
  errorId: string | undefined
  isPrice?: boolean
}

/** A field within a sentence. Type text, because a number field would reject "1,250". */
function AmountField({ name, before, after, value = '', errorId, isPrice }: AmountFieldProps) {
  return (
    <label className="flex min-h-8 min-w-0 grow basis-32 items-center gap-2">
      <span className="shrink-0">
        {isPrice && <span className="sr-only">Price </span>}
        {before}
      </span>
      <input
        name={name}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={value}
        aria-invalid={!!errorId || undefined}
        aria-describedby={errorId}
        className="figures min-h-9 w-16 min-w-0 grow rounded border border-edge bg-panel px-2 text-base text-ink hover:border-ink aria-invalid:border-bad"
      />
      {after}
    </label>
  )
}

/** Announced when it appears: the field is left then, so that its description would not be read. */
function AmountError({ id, children }: { id: string | undefined; children: string | undefined }) {
  return (
    <p id={id} role="status" className="font-medium text-bad empty:hidden">
      {children}
    </p>
  )
}

/**
 * Submits the form on a choice made before hydration, as the submit button does without JavaScript. Serialized as an inline script, so it
 * must not reference anything outside. `data-awake` on the form turns it off.
 */
function submitPreHydrationChoice(): void {
  document.addEventListener('change', ({ target }) => {
    const form = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.form : null
    if (form?.id === 'filters' && form.dataset.awake === undefined) form.requestSubmit()
  })
}

/** URL parameters without a control in the form: search text, category, and filters without a facet in the results. */
function hiddenParams(search: URLSearchParams, shown: Facet[]): [name: string, value: string][] {
  const controls = new Set(['in_stock', 'lowered', 'pieces', 'price.min', 'price.max', 'sort'])
  for (const facet of shown) for (const end of facet.kind === 'choice' ? [''] : ['.min', '.max']) controls.add(`${facet.key}${end}`)
  const others = Object.entries(readSearchParams(search)).flatMap(([name, values]) =>
    controls.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
  return isTableView(search) ? [...others, ['look', 'table']] : others
}

/**
 * Applies checkboxes and selects on change and text fields on blur; amounts that cannot be searched for stay in their fields, with an error,
 * and out of the URL. Updates the controls when the URL changes by Back or a link.
 */
function useFilterForm(search: URLSearchParams, urlErrors: AmountErrors) {
  const ref = useRef<HTMLFormElement>(null)
  const navigate = useNavigate()
  const query = `${search}`
  const [errors, setErrors] = useState(urlErrors)

  useEffect(() => {
    if (ref.current) ref.current.dataset.awake = ''
    const params = new URLSearchParams(query)
    for (const control of ref.current?.elements ?? []) {
      if (control === document.activeElement && isTextInput(control)) continue // never overwrite a field while the user types in it
      if (control.ariaInvalid === 'true') continue // nor what is to be mended
      if (control instanceof HTMLInputElement && control.type === 'checkbox')
        control.checked = params.getAll(control.name).includes(control.value)
      else if (control instanceof HTMLSelectElement || isTextInput(control)) control.value = params.get(control.name) ?? ''
    }
  }, [query])

  async function apply(form: HTMLFormElement) {
    const typed = new FormData(form)
    const { readFilterForm } = await import('./amount-errors.ts') // loaded only by those who filter
    const url = readFilterForm(typed, search, setErrors)
    if (url) navigate(url, { preventScrollReset: true })
  }

  return {
    ref,
    errors,
    onChange: (event: FormEvent<HTMLFormElement>) => {
      if (!isTextInput(event.target)) apply(event.currentTarget)
    },
    onBlur: (event: FocusEvent<HTMLFormElement>) => {
      if (isTextInput(event.target)) apply(event.currentTarget)
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault()
      apply(event.currentTarget)
      const sheet = event.currentTarget.closest('[popover]')
      if (sheet instanceof HTMLElement && sheet.matches(':popover-open')) sheet.hidePopover()
    },
  }
}

/** Closes the sheet when the viewport becomes wide, where the filters are part of the page. */
function useCloseSheetWhenWide() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const wide = matchMedia('(min-width: 64rem)')
    const close = () => wide.matches && ref.current?.matches(':popover-open') && ref.current.hidePopover()
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])
  return ref
}

const isTextInput = (control: unknown): control is HTMLInputElement =>
  control instanceof HTMLInputElement && control.type !== 'checkbox' && control.type !== 'hidden'
