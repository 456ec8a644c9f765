import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type * as z from 'zod'
import { type Product, type ProductDetails, updateProduct } from '#store/catalogue/contract.ts'
import { showProductPage } from '#store/catalogue/product-page-contract.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { callApi } from '#web/call-api.ts'
import { clearDraft, loadDraft } from '#web/form-draft.ts'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import {
  type ProductChangesFormInput,
  productChangesFormFields,
  productChangesFormSchema,
  toChangesFormInput,
  toProductChanges,
} from './product-form.ts'

export const loadProduct = async (id: string): Promise<ProductDetails> => (await callApi(showProductPage, { params: { id } })).part

export const updatedMessage = 'Product updated successfully'

export type SaveResult = { savedAt: string; requestedQuantity: number; product: Product }

/** The form for changes of a product: what is stored, what was typed earlier, and saving, also where the stock has moved meanwhile. */
export function useChangesForm(opened: ProductDetails, onRenamed: (name: string) => void) {
  const account = useAccountAtOpening()
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

  function startFrom(stored: ProductDetails) {
    setProduct(stored)
    setResumed(false)
    form.reset(toChangesFormInput(stored))
    clearDraft(draft)
  }

  async function reload() {
    const current = await loadProduct(product._id)
    renewUneditedFields(form, product, current)
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
    setFieldToStock(form, product)
  }

  const hasErrors = Object.keys(form.formState.errors).length > 0
  return { form, product, saved: hasErrors ? undefined : saved, resumed, startFrom, reload, loadStock, submit, refusal, setRefusal }
}

type ChangesForm = UseFormReturn<ProductChangesFormInput, unknown, z.output<typeof productChangesFormSchema>>

/** Unedited fields take the new values; edited ones stay, next to the new "was". */
function renewUneditedFields(form: ChangesForm, before: ProductDetails, current: ProductDetails) {
  for (const { name } of productChangesFormFields)
    if (name !== 'available_quantity' && form.getValues(name) === toChangesFormInput(before)[name])
      form.setValue(name, toChangesFormInput(current)[name])
}

function setFieldToStock(form: ChangesForm, product: ProductDetails) {
  form.setValue('available_quantity', `${product.available_quantity}`)
  form.setValue('available_quantity_seen', product.available_quantity)
  form.clearErrors('available_quantity')
  form.setFocus('available_quantity')
}
