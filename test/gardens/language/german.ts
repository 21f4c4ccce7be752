import type { SpokenHandbook } from './handbook.ts';

export const GERMAN: SpokenHandbook = {
  language: 'de',
  units: [
    {
      name: 'urlaub',
      description: 'Urlaub beantragen und Vertretung regeln',
      intents: ['Urlaub beantragen', 'wer vertritt mich während der Ferien'],
      content:
        '# Urlaub\n\nUrlaub wird mindestens zwei Wochen vorher im Portal beantragt. Die Vertretung wird vorher mit dem Team abgesprochen. Resturlaub verfällt Ende März.',
    },
    {
      name: 'krankmeldung',
      description: 'Was zu tun ist, wenn man krank ist',
      intents: ['ich bin krank und kann nicht arbeiten'],
      content:
        '# Krankmeldung\n\nMelde dich vor neun Uhr bei deiner Führungskraft. Ab dem dritten Tag ist eine Bescheinigung des Arztes nötig.',
    },
    {
      name: 'rechnungen-bezahlen',
      description: 'Rechnungen von Lieferanten prüfen und bezahlen',
      intents: ['eine Rechnung bezahlen', 'der Betrag stimmt nicht mit der Bestellung überein'],
      content:
        '# Rechnungen\n\nJede Rechnung wird mit der Bestellung verglichen. Ab 5000 Euro zeichnen zwei Personen frei. Die Zahlung erfolgt innerhalb von dreißig Tagen.',
    },
    {
      name: 'reisekosten',
      description: 'Dienstreisen buchen und Kosten abrechnen',
      intents: ['eine Dienstreise abrechnen', 'eine Bahnfahrt buchen'],
      content:
        '# Reisekosten\n\nBahnfahrten in der zweiten Klasse sind ohne Freigabe erlaubt. Belege werden innerhalb eines Monats eingereicht. Hotels kosten höchstens 130 Euro je Nacht.',
    },
    {
      name: 'passwoerter',
      description: 'Kennwörter und Zugangsdaten sicher aufbewahren',
      intents: ['ein Kennwort speichern', 'Zugangsdaten sind öffentlich geworden'],
      content:
        '# Zugangsdaten\n\nKennwörter gehören in den Tresor, nie in das Repository. Nach einem Leck werden sie sofort gesperrt und ersetzt; die Sicherheit wird verständigt.',
    },
    {
      name: 'veroeffentlichung',
      description: 'Eine neue Version veröffentlichen oder zurücknehmen',
      intents: ['eine neue Version ausliefern', 'nach der Auslieferung häufen sich Fehler'],
      content:
        '# Veröffentlichung\n\nAusgeliefert wird dienstags bis donnerstags. Verdoppelt sich die Fehlerquote, wird die vorige Version wieder eingespielt.',
    },
    {
      name: 'begutachtung',
      description: 'Änderungen am Code begutachten lassen',
      intents: ['jemand soll meine Änderung ansehen'],
      content:
        '# Begutachtung\n\nJede Änderung braucht die Zustimmung einer zweiten Person. Niemand gibt die eigene Änderung frei. Antworten kommen innerhalb eines Arbeitstages.',
    },
    {
      name: 'kundenbeschwerden',
      description: 'Beschwerden von Kunden annehmen und beantworten',
      intents: ['ein Kunde beschwert sich', 'eine Erstattung gewähren'],
      content:
        '# Beschwerden\n\nBeantworte jede Beschwerde am selben Tag. Bis 50 Euro darf der Support selbst erstatten, darüber entscheidet die Leitung.',
    },
  ],
  questions: [
    ['Wie beantrage ich Urlaub', 'urlaub'],
    ['Bis wann muss ich meinen Resturlaub nehmen', 'urlaub'],
    ['Ich habe Fieber und bleibe heute zu Hause', 'krankmeldung'],
    ['Wann brauche ich eine Bescheinigung vom Arzt', 'krankmeldung'],
    ['Wer muss eine Rechnung über 8000 Euro freigeben', 'rechnungen-bezahlen'],
    ['Die Lieferung kostet mehr als bestellt', 'rechnungen-bezahlen'],
    ['Wie teuer darf das Hotel sein', 'reisekosten'],
    ['Ich fahre mit der Bahn zum Kunden', 'reisekosten'],
    ['Wo lege ich ein Kennwort ab', 'passwoerter'],
    ['Ein Schlüssel steht offen im Repository', 'passwoerter'],
    ['Darf ich am Freitag eine Version ausliefern', 'veroeffentlichung'],
    ['Die Fehlerquote hat sich verdoppelt', 'veroeffentlichung'],
    ['Kann ich meine Änderung selbst freigeben', 'begutachtung'],
    ['Wer sieht sich meinen Code an', 'begutachtung'],
    ['Der Kunde will sein Geld zurück', 'kundenbeschwerden'],
    ['Wie schnell muss ich auf eine Beschwerde antworten', 'kundenbeschwerden'],
  ],
  offTopic: [
    'Wie wird das Wetter morgen in Hamburg',
    'Wer hat gestern das Fußballspiel gewonnen',
    'Ein Rezept für Kartoffelsuppe mit Würstchen',
    'Wie weit ist der Mond von der Erde entfernt',
    'Empfiehl mir einen guten Film für heute Abend',
    'Schreibe ein Gedicht über den Herbst',
    'Wie bade ich eine Katze',
    'Wo kann man hier gut italienisch essen',
    'Wann wurde die Berliner Mauer gebaut',
    'Ich möchte Klavier spielen lernen',
    'Welche Blumen wachsen im Schatten',
    'Mein Fernseher geht nicht mehr an',
  ],
  later: {
    questions: [
      ['Ich möchte im August Ferien machen', 'urlaub'],
      ['Verfällt mein Resturlaub im März', 'urlaub'],
      ['Bis wann melde ich mich krank', 'krankmeldung'],
      ['Der Betrag auf der Rechnung ist falsch', 'rechnungen-bezahlen'],
      ['Bis wann reiche ich die Belege ein', 'reisekosten'],
      ['Darf ich ein Kennwort im Repository speichern', 'passwoerter'],
      ['Nach der Auslieferung gibt es viele Fehler', 'veroeffentlichung'],
      ['Wer prüft meine Änderung am Code', 'begutachtung'],
      ['Wie viel darf ich einem Kunden erstatten', 'kundenbeschwerden'],
      ['Ein Kunde ist sehr verärgert', 'kundenbeschwerden'],
    ],
    offTopic: [
      'Wie steht der Aktienkurs von heute',
      'Wie kocht man Eier weich',
      'Welcher Berg ist der höchste der Welt',
      'Erzähl mir einen Witz',
      'Wohin am Wochenende wandern',
      'Mein Kind macht keine Hausaufgaben',
      'Wer singt dieses Lied',
      'Welche Kamera soll ich kaufen',
      'Wie pflege ich Rosen im Winter',
      'Mit welchem Zug komme ich nach Dresden',
    ],
  },
};
