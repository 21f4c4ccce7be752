import { expect, test } from 'vitest';
import { languageIn, writtenIn } from '../../../compiler/quality/paraphrase/written-in.ts';

test.each([
  ['en', 'The refund is for the customer who has returned the parcel, and it is paid within two weeks.'],
  ['de', 'Die Rückzahlung ist für den Kunden, der das Paket nicht behält, und sie wird mit der Rechnung gezahlt.'],
  ['fr', 'Le remboursement est pour les clients qui ont rendu le colis, avec la facture et dans les deux semaines.'],
  ['pt', 'O reembolso é para os clientes que não querem o pacote, e uma fatura é paga com ele em duas semanas.'],
  ['es', 'El reembolso es para los clientes que no quieren el paquete, y se paga con la factura en dos semanas.'],
  ['zh', '客户退回包裹后，两周之内退款，并且附上发票。'],
  ['ja', 'お客様が荷物を返した後、二週間以内に返金します。請求書も付けます。'],
  ['ko', '고객이 소포를 반품하면 이 주 안에 환불합니다.'],
  ['ru', 'Возврат выплачивается клиенту, который вернул посылку, вместе со счётом и в течение двух недель.'],
  ['uk', 'Повернення коштів виплачується клієнтові, який повернув посилку, і разом із рахунком.'],
  ['cs', 'Peníze se vrátí zákazníkovi, který poslal balík zpět, a to do dvou týdnů podle faktury.'],
  ['da', 'Pengene bliver sendt til kunden, når pakken er kommet tilbage, og ikke før efter to uger.'],
  ['fi', 'Raha maksetaan asiakkaalle, joka on palauttanut paketin, mutta ei ennen kuin lasku on maksettu.'],
  ['hu', 'A pénzt az ügyfél kapja meg, aki a csomagot két héten belül visszaküldte, és nem kell számla.'],
  ['id', 'Uang akan dikembalikan kepada pelanggan yang tidak puas dengan barang itu dalam dua minggu.'],
  ['it', 'Il rimborso è per i clienti che hanno reso il pacco, e la fattura è pagata dopo due settimane.'],
  ['nb', 'Pengene blir sendt til kunden når pakken har kommet tilbake, og ikke før etter to uker.'],
  ['nl', 'De terugbetaling is voor de klant die het pakket niet houdt, en wordt binnen twee weken betaald.'],
  ['pl', 'Zwrot jest dla klienta, który odesłał paczkę, i nie może być wypłacony przed dwoma tygodniami.'],
  ['ro', 'Rambursarea este pentru clienții care au returnat coletul, și se plătește după două săptămâni.'],
  ['sv', 'Pengarna betalas till kunden när paketet har kommit tillbaka, och inte förrän efter två veckor.'],
  ['tr', 'Para, paketi geri gönderen müşteri için iki hafta sonra ödenir ve fatura ile birlikte gönderilir.'],
  ['vi', 'Tiền được trả lại cho khách hàng không giữ gói hàng, và sẽ được trả trong hai tuần.'],
])('the language of texts in “%s” is known by their script, letters and small words', (language, text) => {
  expect(languageIn([text])).toBe(language);
});

test('the language of texts is English where more of them are in English than in any other, whatever their code says', () => {
  const english = 'This is what the refund is for.\n\n```\n客户退回包裹后，两周之内退款\n```\n';
  expect(languageIn([english, english, '客户退回包裹后，两周之内退款。'])).toBe('en');
});

test.each([
  'kubectl logs per pod',
  'MIT or BSD',
  'comment for eslint-disable, du before rsync',
  'los angeles to las vegas',
  'La Jolla, El Paso and Le Mans',
  'Mies van der Rohe',
  'pro rata, per se and et al',
  'Ω and λ',
  'terraform kustomize argocd',
])('names, tools and borrowed words are no evidence of another language: %s', (text) => {
  expect(['unclear', { language: 'en' }]).toContainEqual(writtenIn(text));
});

test('two function words of two languages are no evidence, two of one are', () => {
  expect(writtenIn('nicht dans')).toBe('unclear');
  expect(writtenIn('nicht oder')).toEqual({ language: 'de' });
});
