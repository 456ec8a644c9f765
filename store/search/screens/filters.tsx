import { type FocusEvent, type FormEvent, memo, type ReactNode, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { Button } from '#web/button.tsx'
import { Icon } from '#web/icon.tsx'
import { InlineScript } from '#web/inline-script.tsx'
import type { AmountErrors } from './amount-errors.ts'
import { AmountError, AmountField } from './amount-field.tsx'
import { CategoryLinks } from './category-links.tsx'
import { CheckboxRow, ChoiceFacet } from './choice-facet.tsx'
import { inStockCount, loweredCount } from './facet-options.ts'
import { NotStated, NumberFacet } from './number-facet.tsx'
import type { PageFacet, PageNumberFacet } from './page-facets.ts'
import { chosenLook, readSearchParams } from './search-url.ts'

/** Id of the filter form. Controls outside it, such as the sort order, belong to it by `form={filterFormId}`. */
export const filterFormId = 'filters'
const sheetId = 'filters-sheet'

type FiltersProps = {
  search: URLSearchParams
  facets: PageFacet[]
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
  const sheet = useCloseSheetWhenWide()
  const shown = facets.filter(({ key }) => key === 'brand' || key.startsWith('spec.'))
  const kind = shown.find((facet) => facet.category)?.category
  const kindLabel = facets
    .flatMap((facet) => (facet.key === 'category' && facet.kind === 'choice' ? facet.choices : []))
    .find(({ value }) => value === kind)?.label
  const others = hiddenParams(search, shown)
  const inStock = inStockCount(facets)
  const lowered = loweredCount(facets)
  const price = facets.filter((facet) => facet.kind === 'number').find(({ key }) => key === 'price') ?? anyPrice

  return (
    <section aria-labelledby="filters-title" className="text-sm max-lg:sticky max-lg:top-2 max-lg:z-20 max-md:top-16 print:hidden">
      <button
        type="button"
        popoverTarget={sheetId}
        className="flex min-h-11 items-center gap-2 rounded border border-edge bg-panel px-4 text-base font-semibold shadow hover:border-ink lg:hidden"
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
          <form id={filterFormId} action="/allproducts" data-kind={kind} {...form} className="flex flex-col gap-5">
            {others.map(([name, value]) => (
              <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
            ))}
            <FilterGroup title="Stock and price">
              <CheckboxRow name="in_stock" value="yes" count={inStock} isChosen={chosen('in_stock').length > 0}>
                In stock
              </CheckboxRow>
              {(lowered !== undefined || chosen('lowered').length > 0) && (
                <CheckboxRow name="lowered" value="yes" count={lowered} isChosen={chosen('lowered').length > 0}>
                  Price lowered
                </CheckboxRow>
              )}
              <div className="flex">
                <AmountField name="pieces" before="I need" after="pieces" value={chosen('pieces')[0]} errorId={piecesErrorId} />
              </div>
              <AmountError id={piecesErrorId}>{errors.pieces}</AmountError>
              <NumberFacet facet={price} chosen={chosen} error={errors.price} />
            </FilterGroup>
            {shown.flatMap((facet, nth) => {
              const name = facet.key
              const isUnknownChosen = chosen(`${name}.unknown`).length > 0
              const isChosen = isUnknownChosen || ['', '.min', '.max'].some((end) => chosen(`${name}${end}`).length > 0)
              const isFirstOfKind = !!facet.category && !shown[nth - 1]?.category
              return [
                isFirstOfKind && (
                  <h3 key="kind" className="border-t border-line pt-3 font-semibold">
                    Filters of {kindLabel}
                  </h3>
                ),
                <FilterGroup
                  key={name}
                  title={facet.kind === 'number' && facet.unit ? `${facet.label} (${facet.unit})` : facet.label}
                  isFolded={nth >= initiallyOpen && !isChosen}
                >
                  {facet.kind === 'choice' ? (
                    <ChoiceFacet facet={facet} name={name} chosen={chosen(name)}>
                      <NotStated name={name} count={facet.unknown} isChosen={isUnknownChosen} />
                    </ChoiceFacet>
                  ) : (
                    <NumberFacet facet={facet} chosen={chosen} error={errors[name]} />
                  )}
                </FilterGroup>,
              ]
            })}
            <noscript>
              <Button type="submit">Show products</Button>
              {kind && (
                <Button type="submit" name="category" value={kind} variant="quiet" className="ml-2">
                  Show {kindLabel} only
                </Button>
              )}
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

/** Where nothing was found, prices can be typed all the same. */
const anyPrice: PageNumberFacet = {
  kind: 'number',
  key: 'price',
  label: 'Price',
  unknown: 0,
  range: undefined,
  bars: undefined,
  common: [],
}

/** Further filters are folded, unless they are set. */
const initiallyOpen = 6

function FilterGroup({ title, isFolded, children }: { title: string; isFolded?: boolean; children: ReactNode }) {
  if (isFolded)
    return (
      <details className="-my-1.5 border-t border-line pt-1.5">
        <summary className="min-h-8 cursor-pointer py-1 font-semibold">{title}</summary>
        <fieldset className="flex min-w-0 flex-col gap-1 pt-1 pb-1.5">
          <legend className="sr-only">{title}</legend>
          {children}
        </fieldset>
      </details>
    )
  return (
    <fieldset className="flex min-w-0 flex-col gap-1 border-t border-line pt-3">
      <legend className="float-left mb-1 w-full font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}

/**
 * Submits the form on a choice made before hydration, as the submit button does without JavaScript. Serialized as an inline script, so it
 * must not reference anything outside. `data-awake` on the form turns it off.
 */
function submitPreHydrationChoice(): void {
  document.addEventListener('change', ({ target }) => {
    const form = target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.form : null
    if (form?.id === 'filters' && (target as HTMLInputElement).name && form.dataset.awake === undefined) form.requestSubmit()
  })
}

/** URL parameters without a control in the form: search text, category, and filters without a facet in the results. */
function hiddenParams(search: URLSearchParams, shown: PageFacet[]): [name: string, value: string][] {
  const controls = new Set(['in_stock', 'lowered', 'pieces', 'price.min', 'price.max', 'sort'])
  for (const facet of shown)
    for (const end of facet.kind === 'choice' ? ['', '.unknown'] : ['', '.unknown', '.min', '.max']) controls.add(`${facet.key}${end}`)
  const others = Object.entries(readSearchParams(search)).flatMap(([name, values]) =>
    controls.has(name) ? [] : values.map((value): [string, string] => [name, value]),
  )
  const look = chosenLook(search)
  return look ? [...others, ['look', look]] : others
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
      else if (isHandle(control)) control.value = control.defaultValue
      else if (control instanceof HTMLSelectElement || isTextInput(control)) control.value = params.get(control.name) ?? ''
    }
  }, [query])

  async function apply(form: HTMLFormElement) {
    const typed = new FormData(form)
    const { readFilterForm } = await import('./amount-errors.ts') // loaded only by those who filter
    const url = readFilterForm(typed, search, setErrors, form.dataset.kind)
    if (url) navigate(url, { preventScrollReset: true })
  }

  return {
    ref,
    errors,
    onChange: async (event: FormEvent<HTMLFormElement>) => {
      const { target, currentTarget } = event
      if (isHandle(target)) (await import('./range-handles.ts')).moveHandle(target, () => apply(currentTarget))
      else if (!isTextInput(event.target)) apply(event.currentTarget)
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
  control instanceof HTMLInputElement && !['checkbox', 'hidden', 'range'].includes(control.type)

const isHandle = (control: unknown): control is HTMLInputElement => control instanceof HTMLInputElement && control.type === 'range'
