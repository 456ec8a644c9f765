import { type ReactNode, useState } from 'react'
import { formatPostalAddress } from '#shared/postal-address.ts'
import { type CompanyAddress, removeCompanyAddress } from '#store/companies/address-contract.ts'
import { SessionEndedNotice } from '#store/identity/screens/session-ended-notice.tsx'
import { Button } from '#web/button.tsx'
import { callApi } from '#web/call-api.ts'
import { ConfirmDialog } from '#web/confirm-dialog.tsx'
import { Panel } from '#web/panel.tsx'
import { Tag } from '#web/tag.tsx'
import { toast } from '#web/toast.tsx'
import { AddressForm } from './address-form.tsx'

type AddressesSectionProps = { addresses: CompanyAddress[]; isManager: boolean; onChanged: () => Promise<void> }

/** The addresses that members choose from at the checkout. Managers change them. */
export function AddressesSection({ addresses, isManager, onChanged }: AddressesSectionProps) {
  /** the id of the address whose form is open; empty: that of a new one */
  const [edited, setEdited] = useState<string>()
  const [removed, setRemoved] = useState<{ address: CompanyAddress; isOpen: boolean }>()
  const saved = async () => {
    await onChanged()
    setEdited(undefined)
  }
  const form = (address?: CompanyAddress) => <AddressForm address={address} onSaved={saved} onCancel={() => setEdited(undefined)} />
  return (
    <section aria-labelledby="addresses" className="flex flex-col gap-4">
      <div className="max-w-read">
        <h2 id="addresses" tabIndex={-1} className="text-xl">
          Addresses
        </h2>
        <p className="text-soft">
          Every member chooses from these at the checkout, and managers change them. Orders keep the address that they were placed with.
        </p>
      </div>
      {addresses.length > 0 && (
        <ul className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
          {addresses.map((address) => (
            <Panel as="li" key={address._id} className="flex flex-col gap-3">
              {edited === address._id ? (
                form(address)
              ) : (
                <Address address={address}>
                  {isManager && (
                    <ChangeButtons
                      label={address.label}
                      onEdit={() => setEdited(address._id)}
                      onRemove={() => setRemoved({ address, isOpen: true })}
                    />
                  )}
                </Address>
              )}
            </Panel>
          ))}
        </ul>
      )}
      {edited === '' && <Panel>{form()}</Panel>}
      {edited !== '' && isManager && (
        <div>
          <Button variant="quiet" onClick={() => setEdited('')}>
            Add an address
          </Button>
        </div>
      )}
      {removed && <RemoveAddressDialog {...removed} onClose={() => setRemoved({ ...removed, isOpen: false })} onRemoved={onChanged} />}
    </section>
  )
}

type RemoveAddressDialogProps = { address: CompanyAddress; isOpen: boolean; onClose: () => void; onRemoved: () => Promise<void> }

function RemoveAddressDialog({ address, isOpen, onClose, onRemoved }: RemoveAddressDialogProps) {
  return (
    <ConfirmDialog
      open={isOpen}
      title={`Remove the address ${address.label}?`}
      confirmLabel={`Remove ${address.label}`}
      cancelLabel="Keep it"
      busyLabel="Removing"
      onConfirm={async () => {
        await callApi(removeCompanyAddress, { params: { id: address._id } })
        onClose()
        toast('Address removed', { detail: address.label })
        await onRemoved()
      }}
      onCancel={onClose}
      signedOutMessage={<SessionEndedNotice />}
      focusAfterClose={() => document.getElementById('addresses')}
    >
      <p>No member can choose it any more. Orders that were placed with it keep it.</p>
    </ConfirmDialog>
  )
}

function Address({ address, children }: { address: CompanyAddress; children: ReactNode }) {
  const { label, forDelivery, forInvoice, line2, postalCode, state, ...rest } = address
  const written = { ...rest, line2: line2 ?? undefined, postalCode: postalCode ?? undefined, state: state ?? undefined }
  return (
    <>
      <h3 className="text-lg wrap-anywhere">{label}</h3>
      <p className="flex gap-2">
        {forDelivery && <Tag>Deliveries</Tag>}
        {forInvoice && <Tag>Invoices</Tag>}
      </p>
      <address className="whitespace-pre-line wrap-anywhere not-italic">{formatPostalAddress(written).join('\n')}</address>
      {children}
    </>
  )
}

const ChangeButtons = ({ label, onEdit, onRemove }: { label: string; onEdit: () => void; onRemove: () => void }) => (
  <div className="flex flex-wrap gap-2">
    <Button dense variant="quiet" aria-label={`Change ${label}`} onClick={onEdit}>
      Change
    </Button>
    <Button dense variant="quiet" aria-label={`Remove ${label}`} onClick={onRemove}>
      Remove
    </Button>
  </div>
)
