import { zodResolver } from '@hookform/resolvers/zod'
import { type Ref, useRef } from 'react'
import { formatNumber } from '#shared/format-number.ts'
import { amountToCents } from '#shared/money.ts'
import { type BuyerPrice, removeBuyerPrice, setBuyerPrice } from '#store/catalogue/pricing/contract.ts'
import type { CustomerGroup } from '#store/catalogue/pricing/customer-group-contract.ts'
import { NumberField } from '#store/catalogue/screens/number-field.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import { BreakableText } from '#web/breakable-text.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { GetForm } from '#web/get-form.tsx'
import { MoneyAmount, moneyFieldProps } from '#web/money.tsx'
import { KeyPagination } from '#web/pagination.tsx'
import { SelectField } from '#web/select-field.tsx'
import { Table } from '#web/table.tsx'
import { Cell, focusTargetInNextRow, Row } from '#web/table-row.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useSubmit } from '#web/use-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import { type BuyerPriceFormInput, buyerPriceFormSchema } from './pricing-forms.ts'

type SectionProps = {
  /** `next`: the key of the next page */
  found: { prices: BuyerPrice[]; total: number; next: string | null; isFirstPage: boolean }
  /** what the list was searched for */
  q: string
  groups: CustomerGroup[]
  /** loads the page's lists again */
  onChanged: () => Promise<void>
}

/** Prices of single products for a customer or a group. */
export function BuyerPricesSection({ found: { prices, total, next, isFirstPage }, q, groups, onChanged }: SectionProps) {
  const table = useRef<HTMLDivElement>(null)
  return (
    <section aria-labelledby="buyer-prices" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="buyer-prices" className="text-xl">
          Prices for one customer or group
        </h2>
        <p className="text-soft">
          A customer's own price comes before that of their group, and a group's price before its percentage. Nobody pays more than the list
          price or its price break.
        </p>
      </div>
      <BuyerPriceForm groups={groups} onSaved={onChanged} />
      {(total > 0 || q !== '') && (
        <GetForm className="flex max-w-form items-end gap-3">
          <div className="min-w-0 grow">
            <Field label="Search products, e-mails and groups" name="q" type="search" defaultValue={q} key={q} />
          </div>
          <Button type="submit" variant="quiet" className="shrink-0">
            Search
          </Button>
        </GetForm>
      )}
      {q !== '' && (
        <p role="status">
          {total === 0 ? 'No price' : total === 1 ? '1 price' : `${formatNumber(total)} prices`} with “{q}”
        </p>
      )}
      {total > prices.length && prices.length > 0 && (
        <p className="text-soft">
          Shown: {isFirstPage ? `the ${formatNumber(prices.length)} newest` : `${formatNumber(prices.length)} older`} of{' '}
          {formatNumber(total)}.
        </p>
      )}
      {prices.length > 0 && <PricesTable prices={prices} ref={table} onChanged={onChanged} />}
      <KeyPagination
        label="Pages of prices"
        isFirstPage={isFirstPage}
        names={['prices']}
        next={next === null ? undefined : { prices: next }}
        list={table}
      />
    </section>
  )
}

type PricesTableProps = { prices: BuyerPrice[]; ref: Ref<HTMLDivElement>; onChanged: () => Promise<void> }

function PricesTable({ prices, ref, onChanged }: PricesTableProps) {
  return (
    <Table
      ref={ref}
      caption="Prices"
      columns={[
        { label: 'Product' },
        { label: 'For' },
        { label: 'List price', isNumeric: true },
        { label: 'Price', isNumeric: true },
        { label: 'Remove' },
      ]}
    >
      {prices.map((price) => (
        <PriceRow key={price._id} price={price} onChanged={onChanged} />
      ))}
    </Table>
  )
}

const emptyPrice: BuyerPriceFormInput = { sku: '', price: '', email: '', groupId: '' }

function BuyerPriceForm({ groups, onSaved }: { groups: CustomerGroup[]; onSaved: () => Promise<void> }) {
  const draft = `buyer price ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(buyerPriceFormSchema),
    defaultValues: { ...emptyPrice, ...loadDraft<BuyerPriceFormInput>(draft) },
  })
  const { errors, isSubmitting } = form.formState
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: ['sku', 'price', 'email', 'groupId'],
    send: (body) => callApi(setBuyerPrice, { body }),
    async onDone({ productName, email, group }) {
      toast('Price set', { detail: `${productName} for ${email ?? group}` })
      form.reset(emptyPrice)
      await onSaved()
    },
  })
  return (
    <form onSubmit={submit} noValidate className="grid max-w-4xl items-start gap-4 sm:grid-cols-2">
      <Field
        label="SKU of the product"
        id="sku"
        autoComplete="off"
        spellCheck={false}
        className="figures"
        hint="Stands on the product's page and in an export"
        required
        error={errors.sku?.message}
        {...form.register('sku')}
      />
      <NumberField label="Price of one piece" {...moneyFieldProps()} required error={errors.price?.message} {...form.register('price')} />
      <Field
        label="E-mail of a customer"
        type="email"
        autoComplete="off"
        spellCheck={false}
        hint="Empty where the price is for a group"
        error={errors.email?.message}
        {...form.register('email')}
      />
      <SelectField
        label="Or a group"
        options={[{ value: '', label: 'None' }, ...groups.map(({ _id, name }) => ({ value: _id, label: name }))]}
        error={errors.groupId?.message}
        {...form.register('groupId')}
      />
      <div>
        <Button type="submit" busy={isSubmitting} busyLabel="Setting">
          Set price
        </Button>
      </div>
      {refusal && (
        <div className="sm:col-span-2">
          <RefusalNotice refusal={refusal} />
        </div>
      )}
    </form>
  )
}

function PriceRow({ price, onChanged }: { price: BuyerPrice; onChanged: () => Promise<void> }) {
  const buyer = price.email ?? price.group ?? ''
  const { submit, busy } = useSubmit({
    send: (_button: HTMLElement) => callApi(removeBuyerPrice, { params: { id: price._id } }),
    async onDone(_removed, button) {
      const next = focusTargetInNextRow(button) ?? document.getElementById('sku')
      toast('Price removed', { detail: `${price.productName} for ${buyer}` })
      await onChanged()
      next?.focus()
    },
    toastDetail: () => price.productName,
  })
  return (
    <Row>
      <Cell label="Product" isRowHeader className="@3xl:min-w-44">
        {price.productName}
        <span className="figures block text-sm font-normal text-soft">
          <BreakableText>{price.sku}</BreakableText>
        </span>
      </Cell>
      <Cell label="For">
        <BreakableText>{buyer}</BreakableText>
      </Cell>
      <Cell label="List price" isNumeric>
        <MoneyAmount amountCents={amountToCents(price.listPrice)} />
      </Cell>
      <Cell label="Price" isNumeric>
        <MoneyAmount amountCents={amountToCents(price.price)} />
        {price.price >= price.listPrice && <span className="block font-sans text-soft">no lower than the list price</span>}
      </Cell>
      <Cell label="Remove">
        <Button
          dense
          variant="quiet"
          busy={busy}
          busyLabel="Removing"
          aria-label={`Remove, ${price.productName} for ${buyer}`}
          onClick={({ currentTarget }) => submit(currentTarget)}
        >
          Remove
        </Button>
      </Cell>
    </Row>
  )
}
