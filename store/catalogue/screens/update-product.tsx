import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useLocation } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import type { ProductDetails } from '#store/catalogue/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import type { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { ErrorSummary } from '#web/error-summary.tsx'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { Amount, GroupedDigits, moneyFieldProps } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { useHydrated } from '#web/use-hydrated.ts'
import type { Route } from './+types/update-product'
import { MoreAboutProduct } from './more-about-product.tsx'
import { NumberField } from './number-field.tsx'
import { PackAndPriceBreakFields } from './pack-and-break-fields.tsx'
import { newTextLabels, productChangesFormFields, productFormLabels, type RegisteredField, toChangesFormInput } from './product-form.ts'
import { ProductPreview } from './product-preview.tsx'
import { loadProduct, type SaveResult, updatedMessage, useChangesForm } from './use-changes-form.ts'

export const clientLoader = async ({ params }: Route.ClientLoaderArgs) => ({
  product: await loadProduct(params.id).catch(rethrowAsNotFound),
})

export const meta = ({ loaderData }: Route.MetaArgs) => [
  { title: `${loaderData ? `Update ${loaderData.product.name}` : 'Update product'} | Nucleus of PC` },
]

export default function UpdateProduct({ loaderData: { product } }: Route.ComponentProps) {
  const { state } = useLocation()
  const list = typeof state?.list === 'string' ? state.list : ''
  const [renamed, setRenamed] = useState<{ id: string; name: string }>()
  return (
    <Page title="Update product" lead={renamed?.id === product._id ? renamed.name : product.name} wide>
      <ChangesForm key={product._id} opened={product} onRenamed={(name) => setRenamed({ id: product._id, name })} />
      <p>
        <TextLink to={{ pathname: '/dashboard/manageproducts', search: list }}>Back to Manage Products</TextLink>
      </p>
    </Page>
  )
}

type ChangesFieldName = (typeof productChangesFormFields)[number]['name']

function ChangesForm({ opened, onRenamed }: { opened: ProductDetails; onRenamed: (name: string) => void }) {
  const script = useHydrated()
  const { form, product, saved, resumed, startFrom, reload, loadStock, submit, refusal, setRefusal } = useChangesForm(opened, onRenamed)
  const { errors, isSubmitting } = form.formState
  const [startsOpen] = useState(() =>
    (['name', 'description', 'img', 'brand', 'mpn', 'category'] as const).some(
      (name) => form.getValues(name) !== toChangesFormInput(product)[name],
    ),
  )
  const registered = (name: ChangesFieldName) => ({
    id: name,
    error: errors[name]?.message,
    ...form.register(name),
  })
  const checked = (name: ChangesFieldName) => ({ required: true, ...registered(name) })
  const typed = useWatch({ control: form.control, compute: (values) => values })
  const seen = Number(typed.available_quantity_seen)

  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel className="sm:p-6">
        <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
          <ErrorSummary form={form} fields={productChangesFormFields} />
          {resumed && <NotSavedYetNotice onReset={() => startFrom(product)} />}
          <StoredTexts product={product} />
          <FigureFields product={product} stockSeen={seen} checked={checked} />
          <PackAndPriceBreakFields order_multiple={registered('order_multiple')} price_breaks={registered('price_breaks')} />
          <MoreAboutProduct
            brand={registered('brand')}
            mpn={registered('mpn')}
            category={registered('category')}
            startsOpen={startsOpen}
            hasOtherError={(errors.name ?? errors.description ?? errors.img) !== undefined}
          >
            <Field label={newTextLabels.name} autoComplete="off" {...checked('name')} />
            <Field label={newTextLabels.description} rows={4} {...checked('description')} />
            <Field label={newTextLabels.img} inputMode="url" autoComplete="off" spellCheck={false} {...checked('img')} />
          </MoreAboutProduct>
          {seen !== product.available_quantity && <StockMovedNotice seen={seen} now={product.available_quantity} onLoad={loadStock} />}
          <SignedOutElsewhereNotice refusal={refusal} />
          <Button type="submit" busy={isSubmitting} busyLabel="Saving">
            Update product
          </Button>
          {refusal && <NotSavedNotice refusal={refusal} onReload={() => reload().then(() => setRefusal(undefined), setRefusal)} />}
          {saved && <UpdatedNotice {...saved} />}
        </form>
      </Panel>
      <ProductPreview formInput={{ ...product, ...typed }} stored={product} />
    </div>
  )
}

/** For a draft of an earlier visit. */
function NotSavedYetNotice({ onReset }: { onReset: () => void }) {
  return (
    <Notice
      kind="info"
      title="Not saved yet"
      action={
        <Button variant="quiet" onClick={onReset}>
          Go back to the saved figures
        </Button>
      }
    >
      These are the figures that you typed here earlier.
    </Notice>
  )
}

function StoredTexts({ product }: { product: ProductDetails }) {
  return (
    <>
      <Field
        label={productFormLabels.name}
        value={product.name}
        readOnly
        hint="Name and description are changed below, under More about the product. Orders keep those that they were placed with."
      />
      <Field label={productFormLabels.description} value={product.description} readOnly rows={4} />
    </>
  )
}

type FigureFieldsProps = {
  product: ProductDetails
  /** the stock that the typed one replaces */
  stockSeen: number
  checked: (name: ChangesFieldName) => RegisteredField
}

function FigureFields({ product, stockSeen, checked }: FigureFieldsProps) {
  return (
    <>
      <NumberField
        label={productFormLabels.price}
        {...moneyFieldProps()}
        hint={
          <>
            For one piece, with at most two decimals (was <Amount value={product.price} />)
          </>
        }
        {...checked('price')}
      />
      <NumberField
        label={productFormLabels.minimum_order_quantity}
        hint={
          <>
            The smallest order, in pieces (was <GroupedDigits number={product.minimum_order_quantity} />)
          </>
        }
        {...checked('minimum_order_quantity')}
      />
      <NumberField
        label={productFormLabels.available_quantity}
        hint={
          <>
            What can be sold now, in pieces (was <GroupedDigits number={stockSeen} />)
          </>
        }
        {...checked('available_quantity')}
      />
    </>
  )
}

function StockMovedNotice({ seen, now, onLoad }: { seen: number; now: number; onLoad: () => void }) {
  return (
    <Notice
      kind="warning"
      title="The stock has moved"
      action={
        <Button variant="quiet" onClick={onLoad}>
          Load the new stock
        </Button>
      }
    >
      When you began, {formatNumber(seen)} pieces were available; now it is {formatNumber(now)}. Load the new stock, then enter the figure
      that you want.
    </Notice>
  )
}

function UpdatedNotice({ savedAt, requestedQuantity, product }: SaveResult) {
  const meanwhile = product.available_quantity - requestedQuantity
  return (
    <Notice kind="success" title={updatedMessage} ref={focusOnMount}>
      {product.name}, saved <DateTime at={savedAt} />.
      {meanwhile !== 0 &&
        ` The stock moved by ${formatNumber(meanwhile)} while you typed, so it is ${formatNumber(product.available_quantity)} now, not ${formatNumber(requestedQuantity)}.`}
    </Notice>
  )
}

function NotSavedNotice({ refusal, onReload }: { refusal: ApiError; onReload: () => void }) {
  return (
    <RefusalNotice
      refusal={refusal}
      outcomeUnknown="We do not know whether the change was saved. Look again before you save it a second time. What you typed is kept."
      outcomeUnknownAction={
        <Button variant="quiet" onClick={onReload}>
          Look again
        </Button>
      }
    >
      Nothing was saved, and what you typed is kept.
    </RefusalNotice>
  )
}
