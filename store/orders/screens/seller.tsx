import { zodResolver } from '@hookform/resolvers/zod'
import { useWatch } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { formatNumber } from '#shared/format-number.ts'
import { CountryAddressFields } from '#store/companies/screens/country-address-fields.tsx'
import { RefusalNotice } from '#store/identity/screens/refusal-notice.tsx'
import { listDocumentMonths } from '#store/orders/documents/archive/contract.ts'
import { changeSeller, type Seller, showSeller } from '#store/orders/documents/contract.ts'
import { showPaymentSettings } from '#store/orders/payment-methods/contract.ts'
import { showTax } from '#store/tax/contract.ts'
import { countryOptions } from '#store/tax/screens/tax-forms.ts'
import { useAccountAtOpening } from '#web/account.ts'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { Field } from '#web/field.tsx'
import { loadDraft } from '#web/form-draft.ts'
import { Notice } from '#web/notice.tsx'
import { Page } from '#web/page.tsx'
import { SelectField } from '#web/select-field.tsx'
import { TextLink } from '#web/text-link.tsx'
import { toast } from '#web/toast.tsx'
import { useFormSubmit } from '#web/use-form-submit.ts'
import { useValidatedForm } from '#web/use-validated-form.ts'
import type { Route } from './+types/seller'
import { DocumentMonths } from './document-months.tsx'
import { PaymentSettingsSection } from './payment-settings-section.tsx'
import { type SellerFormInput, sellerFieldNames, sellerFormSchema, toSellerForm } from './seller-form-schema.ts'
import { WithoutVatIdNotice } from './without-vat-id-notice.tsx'

export const meta: Route.MetaFunction = () => [{ title: 'Seller | Nucleus of PC' }]

export async function clientLoader() {
  const [sellers, { settings }, { months }, payment] = await Promise.all([
    callApi(showSeller, {}),
    callApi(showTax, {}),
    callApi(listDocumentMonths, {}),
    callApi(showPaymentSettings, {}),
  ])
  return { ...sellers, country: settings.country, months, payment }
}

export default function SellerPage({ loaderData }: Route.ComponentProps) {
  const { seller, waiting, country, months, payment } = loaderData
  return (
    <Page title="Seller" lead="Who sells, as it stands on invoices and credit notes, and how buyers pay.">
      <div className="flex flex-col gap-8">
        {seller === null && (
          <Notice kind="info" title="No invoices yet">
            {waiting === 0
              ? 'Say who sells. From then on each paid order has an invoice, and each refund a credit note.'
              : `Say who sells: ${waiting === 1 ? '1 document waits' : `${formatNumber(waiting)} documents wait`} for it, of orders that are paid already.`}
          </Notice>
        )}
        {seller !== null && country === null && (
          <Notice kind="warning" title="Invoices state no tax">
            Where the shop is has not been said, so nothing is taxed. Say it, and set the rates, under{' '}
            <TextLink to="/dashboard/tax">Tax</TextLink>.
          </Notice>
        )}
        <WithoutVatIdNotice {...loaderData} />
        <p className="text-soft">
          What is issued stays as it is: a change here is for the documents that come. Rates of tax, and whether prices contain it, are set
          under <TextLink to="/dashboard/tax">Tax</TextLink>.
        </p>
        <SellerForm seller={seller} country={country} />
        <PaymentSettingsSection settings={payment} />
        {months.length > 0 && <DocumentMonths months={months} waiting={waiting} />}
      </div>
    </Page>
  )
}

function SellerForm({ seller, country: countryOfShop }: { seller: Seller | null; country: string | null }) {
  const { form, submit, refusal } = useSellerForm(seller, countryOfShop)
  const { errors, isSubmitting } = form.formState
  const country = useWatch({ control: form.control, name: 'country' })
  const field = (name: keyof SellerFormInput) => ({ error: errors[name]?.message, autoComplete: 'off', ...form.register(name) })
  return (
    <form onSubmit={submit} noValidate className="flex max-w-form flex-col gap-4">
      <Field label="Name of the business" required {...field('name')} />
      <SelectField
        label="Country"
        options={[{ value: '', label: 'Choose a country' }, ...countryOptions]}
        error={errors.country?.message}
        {...form.register('country', { onChange: () => form.clearErrors(['postalCode', 'state']) })}
      />
      <CountryAddressFields country={country} register={form.register} errors={errors} />
      <Field
        label="VAT id"
        hint="With the letters of its country, such as DE136695976. Without it, invoices of businesses in other countries of the EU are not valid"
        spellCheck={false}
        {...field('vatId')}
      />
      <Field label="Tax number" hint="Needed where there is no VAT id, may stand beside it" spellCheck={false} {...field('taxNumber')} />
      <Field label="E-mail for questions about invoices" type="email" required {...field('email')} />
      <Field label="Telephone" type="tel" optional {...field('phone')} />
      <Field label="Registration" hint="Court and number of the register of companies" optional {...field('registration')} />
      <Field
        label="Below each document"
        hint="What the law asks for besides, such as who manages the business"
        optional
        {...field('footer')}
      />
      {refusal && !sellerFieldNames.some((name) => refusal.errors[name]) && <RefusalNotice refusal={refusal} />}
      <div>
        <Button type="submit" busy={isSubmitting} busyLabel="Saving">
          Save
        </Button>
      </div>
    </form>
  )
}

function useSellerForm(seller: Seller | null, country: string | null) {
  const { revalidate } = useRevalidator()
  const draft = `seller ${useAccountAtOpening()?.email}`
  const form = useValidatedForm({
    resolver: zodResolver(sellerFormSchema),
    defaultValues: { ...toSellerForm(seller, country), ...loadDraft<SellerFormInput>(draft) },
  })
  const { submit, refusal } = useFormSubmit(form, {
    draft,
    fields: sellerFieldNames,
    send: (body) => callApi(changeSeller, { body }),
    async onDone({ seller: saved }) {
      toast('Saved', { detail: `Invoices name ${saved.name}` })
      form.reset(toSellerForm(saved, country))
      await revalidate()
    },
  })
  return { form, submit, refusal }
}
