import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { useLocation } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { type Product, type ProductDetails, showProductPage, updateProduct } from '#store/catalogue/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import type { ApiError } from '#web/api-error.ts'
import { Button } from '#web/button.tsx'
import { callApi, rethrowAsNotFound } from '#web/call-api.ts'
import { DateTime } from '#web/date-time.tsx'
import { ErrorSummary } from '#web/error-summary.tsx'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { clearDraft, loadDraft } from '#web/form-draft.ts'
import { Amount, GroupedDigits, moneyFieldProps } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/update-product'
import { MoreAboutProduct } from './more-about-product.tsx'
import { NumberField } from './number-field.tsx'
import { PackAndPriceBreakFields } from './pack-and-break-fields.tsx'
import {
  newTextLabels,
  type ProductChangesFormInput,
  productChangesFormFields,
  productChangesFormSchema,
  productFormLabels,
  toChangesFormInput,
  toProductChanges,
} from './product-form.ts'
import { ProductPreview } from './product-preview.tsx'

const loadProduct = async (id: string): Promise<ProductDetails> => (await callApi(showProductPage, { params: { id } })).part

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

const updatedMessage = 'Product updated successfully'

type SaveResult = { savedAt: string; requestedQuantity: number; product: Product }

function ChangesForm({ opened, onRenamed }: { opened: ProductDetails; onRenamed: (name: string) => void }) {
  const account = useAccountAtOpening()
  const script = useHydrated()
  const [product, setProduct] = useState(opened) // last known stored state
  const [saved, setSaved] = useState<SaveResult>()
  const draft = `update tool ${product._id} ${account?.email}`
  const [resumed, setResumed] = useState(
    () => JSON.stringify({ ...toChangesFormInput(product), ...loadDraft(draft) }) !== JSON.stringify(toChangesFormInput(product)),
  )
  const form = useValidatedForm({
    resolver: zodResolver(productChangesFormSchema),
    shouldFocusError: false,
    defaultValues: { ...toChangesFormInput(product), ...loadDraft<ProductChangesFormInput>(draft) },
  })
  const { errors, isSubmitting } = form.formState
  const [startsOpen] = useState(() =>
    (['name', 'description', 'img', 'brand', 'mpn', 'category'] as const).some(
      (name) => form.getValues(name) !== toChangesFormInput(product)[name],
    ),
  )
  const registered = (name: (typeof productChangesFormFields)[number]['name']) => ({
    id: name,
    error: errors[name]?.message,
    ...form.register(name),
  })
  const checked = (name: (typeof productChangesFormFields)[number]['name']) => ({ required: true, ...registered(name) })
  const typed = useWatch({ control: form.control, compute: (values) => values })
  const seen = Number(typed.available_quantity_seen)

  function startFrom(stored: ProductDetails) {
    setProduct(stored)
    setResumed(false)
    form.reset(toChangesFormInput(stored))
    clearDraft(draft)
  }

  /** Reloads the product. Unedited fields take the new values; edited ones stay, next to the new "was". */
  async function reload() {
    const current = await loadProduct(product._id)
    for (const { name } of productChangesFormFields)
      if (name !== 'available_quantity' && form.getValues(name) === toChangesFormInput(product)[name])
        form.setValue(name, toChangesFormInput(current)[name])
    setProduct(current)
  }

  const { submit, refusal, setRefusal } = useFormSubmit(form, {
    draft,
    fields: productChangesFormFields.map(({ name }) => name),
    send(changes) {
      setSaved(undefined)
      setResumed(false)
      return callApi(updateProduct, { params: { id: product._id }, body: toProductChanges(changes, product) })
    },
    onDone(stored, { available_quantity, order_multiple = product.order_multiple, price_breaks = product.price_breaks, ...changes }) {
      toast(updatedMessage, { detail: stored.name })
      const { brand, mpn, category } = changes
      startFrom({ ...product, ...stored, order_multiple, price_breaks, brand, mpn, category })
      onRenamed(stored.name)
      setSaved({ savedAt: new Date().toISOString(), requestedQuantity: available_quantity, product: stored })
    },
    async onRefused({ code }) {
      if (code === 'stock_changed') await reload().catch(() => {}) // the error message already contains the current stock
    },
  })

  function loadStock() {
    setSaved(undefined)
    setRefusal(undefined)
    form.setValue('available_quantity', `${product.available_quantity}`)
    form.setValue('available_quantity_seen', product.available_quantity)
    form.clearErrors('available_quantity')
    form.setFocus('available_quantity')
  }

  return (
    <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel className="sm:p-6">
        <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
          <ErrorSummary form={form} fields={productChangesFormFields} />
          {resumed && (
            <Notice
              kind="info"
              title="Not saved yet"
              action={
                <Button variant="quiet" onClick={() => startFrom(product)}>
                  Go back to the saved figures
                </Button>
              }
            >
              These are the figures that you typed here earlier.
            </Notice>
          )}
          <Field
            label={productFormLabels.name}
            value={product.name}
            readOnly
            hint="Name and description are changed below, under More about the product. Orders keep those that they were placed with."
          />
          <Field label={productFormLabels.description} value={product.description} readOnly rows={4} />
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
                What can be sold now, in pieces (was <GroupedDigits number={seen} />)
              </>
            }
            {...checked('available_quantity')}
          />
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
          {seen !== product.available_quantity && (
            <Notice
              kind="warning"
              title="The stock has moved"
              action={
                <Button variant="quiet" onClick={loadStock}>
                  Load the new stock
                </Button>
              }
            >
              When you began, {formatNumber(seen)} pieces were available; now it is {formatNumber(product.available_quantity)}. Load the new
              stock, then enter the figure that you want.
            </Notice>
          )}
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
