import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { addProduct, type Product } from '#store/catalogue/contract.ts'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { SignedOutElsewhereNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { useAccountAtOpening } from '#web/account.ts'
import type { ApiError } from '#web/api-error.ts'
import { Button, ButtonLink } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ErrorSummary } from '#web/error-summary.tsx'
import { Field } from '#web/field.tsx'
import { focusOnMount } from '#web/focus-on-mount.ts'
import { loadDraft } from '#web/form-draft.ts'
import { moneyFieldProps } from '#web/money.tsx'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { Panel } from '#web/panel.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useHydrated } from '#web/use-hydrated.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/add-product'
import { MoreAboutProduct } from './more-about-product.tsx'
import { NumberField } from './number-field.tsx'
import { PackAndPriceBreakFields } from './pack-and-break-fields.tsx'
import {
  type NewProductFormInput,
  newProductFormSchema,
  productFormFields,
  productFormLabels,
  type RegisteredField,
} from './product-form.ts'
import { ProductPreview } from './product-preview.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Add a New Product | Nucleus of PC' }]

export const clientLoader = () => null

/** The specification prescribes this text for a new product too. The product name beside it tells what was added. */
const addedMessage = 'order placed successfully'

const emptyForm: NewProductFormInput = {
  ...{ name: '', img: '', description: '', price: '', minimum_order_quantity: '', available_quantity: '' },
  ...{ order_multiple: '1', price_breaks: '' },
  ...{ sku: '', brand: '', mpn: '', category: '' },
}

export default function AddProduct() {
  const [added, setAdded] = useState<Product>()
  return (
    <Page
      title="Add a New Product"
      lead="Every field is needed but the price breaks and what is folded. The product is for sale as soon as it is added."
      wide
    >
      {/* a new form after each added product: only a success clears the fields */}
      <NewProductForm key={added?._id} added={added} onAdded={setAdded} />
    </Page>
  )
}

function NewProductForm({ added, onAdded }: { added: Product | undefined; onAdded: (tool: Product) => void }) {
  const account = useAccountAtOpening()
  const script = useHydrated()
  const [news, setNews] = useState(added)
  const draft = `add tool ${account?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(newProductFormSchema),
    shouldFocusError: false,
    defaultValues: { ...emptyForm, ...loadDraft<NewProductFormInput>(draft) },
  })
  const { errors, isSubmitting, defaultValues } = form.formState
  const startsOpen = (['sku', 'brand', 'mpn', 'category'] as const).some((name) => defaultValues?.[name])
  const registered = (name: keyof NewProductFormInput) => ({ id: name, error: errors[name]?.message, ...form.register(name) })
  const checked = (name: keyof NewProductFormInput) => ({ required: true, ...registered(name) })
  const typed = useWatch({ control: form.control, compute: (values) => values })

  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: productFormFields.map(({ name }) => name),
    send(tool) {
      setNews(undefined)
      return callApi(addProduct, { body: tool })
    },
    onDone(added) {
      toast(addedMessage, { detail: `${added.name} added. It is for sale now.` })
      onAdded(added)
    },
  })

  return (
    <div className="grid gap-x-12 gap-y-8 xl:grid-cols-[minmax(0,32rem)_minmax(0,24rem)]">
      <Panel className="sm:p-6">
        <form method="post" onSubmit={submit} noValidate={script} className="flex flex-col gap-4">
          <ErrorSummary form={form} fields={productFormFields} />
          <RequiredFields checked={checked} />
          <PackAndPriceBreakFields order_multiple={registered('order_multiple')} price_breaks={registered('price_breaks')} />
          <MoreAboutProduct
            brand={registered('brand')}
            mpn={registered('mpn')}
            category={registered('category')}
            startsOpen={startsOpen}
            hasOtherError={errors.sku !== undefined}
          >
            <SkuField {...registered('sku')} />
          </MoreAboutProduct>
          <SignedOutElsewhereNotice refusal={refusal} />
          <Button type="submit" busy={isSubmitting} busyLabel="Adding">
            Add
          </Button>
          {refusal && <NotAddedNotice refusal={refusal} />}
          {news && <AddedNotice product={news} onAnother={() => form.setFocus('name')} />}
        </form>
      </Panel>
      <ProductPreview formInput={typed} />
    </div>
  )
}

function RequiredFields({ checked }: { checked: (name: keyof NewProductFormInput) => RegisteredField }) {
  return (
    <>
      <Field label={productFormLabels.name} autoComplete="off" {...checked('name')} />
      <Field
        label={productFormLabels.img}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        hint="The address of a picture: it begins with https://, or with / for one of the store's own, like /drawings/multimeter.svg"
        {...checked('img')}
      />
      <Field label={productFormLabels.description} rows={4} hint="Buyers read the first lines in the list" {...checked('description')} />
      <NumberField
        label={productFormLabels.price}
        {...moneyFieldProps()}
        hint="For one piece, with at most two decimals"
        {...checked('price')}
      />
      <NumberField
        label={productFormLabels.minimum_order_quantity}
        hint="The smallest order, in pieces"
        {...checked('minimum_order_quantity')}
      />
      <NumberField label={productFormLabels.available_quantity} hint="What can be sold now, in pieces" {...checked('available_quantity')} />
    </>
  )
}

function SkuField(field: RegisteredField) {
  return (
    <Field
      label={productFormLabels.sku}
      optional
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className="figures"
      hint="Its key in files of products, which stays as it is. Left empty, the store makes one up"
      {...field}
    />
  )
}

function AddedNotice({ product, onAnother }: { product: Product; onAnother: () => void }) {
  return (
    <Notice
      kind="success"
      title={addedMessage}
      ref={focusOnMount}
      action={
        <div className="flex flex-wrap gap-3">
          <ButtonLink to={`/purchase/${product._id}`} variant="quiet">
            View it
          </ButtonLink>
          <Button variant="quiet" onClick={onAnother}>
            Add another
          </Button>
        </div>
      }
    >
      {product.name} added. It is for sale now: view it as buyers do, or add another.
    </Notice>
  )
}

function NotAddedNotice({ refusal }: { refusal: ApiError }) {
  return (
    <RefusalNotice
      refusal={refusal}
      outcomeUnknown="We do not know whether the product has arrived. Look for it in Manage Products before you add it again. What you typed is kept."
      outcomeUnknownAction={
        <ButtonLink to="/dashboard/manageproducts" variant="quiet">
          Manage Products
        </ButtonLink>
      }
    >
      Nothing was added, and what you typed is kept. Mend it and add it again.
    </RefusalNotice>
  )
}
