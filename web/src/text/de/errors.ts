export default {
  codes: {
    '4000': 'Der Server konnte das nicht lesen. Lade die Seite neu, dann versuche es noch einmal.',
    '4001': 'Diese Person gibt es hier nicht, oder du darfst sie nicht sehen. Suche sie nach ihrem Namen.',
    '4002': 'Etwas fehlt oder wird so nicht angenommen. Prüfe deine Eingabe.',
    '4003': 'Es hat keinen Empfänger. Wähle mindestens einen.',
    '4004': 'Es ist leer. Schreib etwas oder hänge eine Datei an.',
    '4005': 'Es geht an mehr als ein Team. Wähle eines davon.',
    '4006': 'Es geht an ein Team und an Leute. Wähle eines von beiden.',
    '4007': 'Was darin erwähnt ist, lässt sich hier nicht erwähnen. Lass es weg.',
    '4008':
      'Jemand davon ist nicht zu erreichen: Das Konto ist geschlossen, oder ihr habt kein Team gemeinsam. Lass die Person weg, dann sende es noch einmal.',
    '4010': 'Du bist abgemeldet. Melde dich wieder an.',
    '4012': 'Der Zugang ist abgelaufen. Öffne die Anwendung noch einmal.',
    '4030': 'Das darfst du nicht. Frag einen Admin des Teams.',
    '4031': 'So weit reicht der Zugang nicht. Bitte einen Admin des Teams, mehr zu erlauben.',
    '4040':
      'Nicht gefunden, oder du hast keinen Zugang. Vielleicht ist es gelöscht: Geh zurück und sieh nach.',
    '4050': 'Die Seite passt nicht mehr zum Server. Lade sie neu.',
    '4080': 'Es hat zu lange gedauert. Prüfe die Verbindung, dann versuche es noch einmal.',
    '4090': 'Jemand war schneller. Sieh noch einmal nach, dann wiederhole es.',
    '4130': 'Das ist zu groß. Nimm etwas Kleineres.',
    '4150': 'Die Seite passt nicht mehr zum Server. Lade sie neu.',
    '4160': 'Diesen Teil der Datei gibt es nicht. Lade die Datei noch einmal herunter.',
    '4210': 'Der Server hat eine andere Adresse. Öffne die Adresse, die du vom Betreiber hast.',
    '4240': 'Die Anwendung war nicht einverstanden. Sieh dir ihre Aufrufe an oder frag ihren Entwickler.',
    '4290':
      'Zu viele Versuche. Warte {seconds, plural, one {# Sekunde} other {# Sekunden}}, dann versuche es noch einmal.',
    '4310':
      'Der Browser hat zu viel auf einmal gesendet. Lösche die Cookies dieser Seite und melde dich neu an.',
    '5000':
      'Der Server hatte ein Problem. Sieh nach, ob deine Änderung gespeichert ist, dann versuche es noch einmal.',
    '5030': 'Der Server ist beschäftigt oder startet gerade. Warte kurz, dann versuche es noch einmal.',
  },
  reasons: {
    '4007': {
      not_found: 'Was darin erwähnt ist, gibt es nicht mehr. Lass es weg.',
      several: 'Darin ist mehr als ein Objekt erwähnt. Lass eines stehen.',
      type: 'Darin ist etwas von unbekannter Art erwähnt. Lass es weg.',
      no_placeholder: 'Es sagt nicht, wohin der Link gehört. Schreib es neu.',
    },
    '4012': { access_denied: 'Der Zugang ist abgelaufen. Öffne die Anwendung noch einmal.' },
    '4030': {
      app_not_installed:
        'Das Team hat diese Anwendung nicht. Bitte einen Admin des Teams, sie zu installieren.',
      application_blocked:
        'Die Anwendung ist blockiert: Ihr könnt euch nicht schreiben. Hebe das im Menü der Unterhaltung auf.',
      direct_not_granted:
        'Die Anwendung darf hier keine Direktnachrichten schreiben. Bitte einen Admin des Teams, es zu erlauben.',
      application_suspended:
        'Die Anwendung ist angehalten. Ihr Besitzer kann sie übernehmen, oder ein Administrator des Servers weckt sie.',
      application_unconfirmed:
        'Die Anwendung gehört jetzt jemand anderem. Bitte einen Admin des Teams, zu bestätigen, was sie darf.',
      backup_off:
        'Sicherungen sind hier abgeschaltet. Bitte den Betreiber des Servers, ADMIN_BACKUP zu setzen.',
      cross_site:
        'Das kam von einer anderen Seite und wurde nicht ausgeführt. Öffne es hier und mach es noch einmal.',
      emoji_admins: 'Emoji fügen hier die Administratoren des Servers hinzu. Frag einen.',
      emoji_of_another:
        'Löschen kann das Emoji nur, wer es hinzugefügt hat, oder ein Administrator des Servers. Frag einen von ihnen.',
      emoji_off: 'Der Betreiber dieses Servers hat das Hinzufügen von Emoji abgeschaltet. Frag ihn.',
      no_home: 'Diese Anwendung hat keine eigene Seite. Öffne sie bei den Anwendungen des Teams.',
      invitation_needed:
        'Hierher kommt man mit einer Einladung. Öffne den Link einer Einladung oder einen Beitrittslink.',
      metrics: 'Dafür ist METRICS_TOKEN nötig. Frag den Betreiber des Servers.',
      not_admin: 'Das darf nur ein Admin des Teams. Frag einen.',
      not_application: 'Vorschauen zeigt nur eine Anwendung. Überlass es ihr.',
      has_blocks: 'Diese Nachricht ändert die Anwendung, von der sie stammt. Du kannst sie löschen.',
      no_listener: 'Die Anwendung hört gerade nicht zu. Sag das denen, die sie betreiben.',
      person_gone: 'Die Person sieht die Nachricht nicht mehr. Schreib ihr anderswo.',
      private_place:
        'Anwendungen erfahren nichts von Klicks in privaten Gesprächen. Schreib ihnen in einem Team.',
      not_author: 'Das darf nur, wer es geschrieben hat. Frag dort nach.',
      not_superuser: 'Das darf nur ein Administrator des Servers. Frag einen.',
      other_account: 'Dieser Link gehört zu einem anderen Konto. Melde dich mit jenem an.',
      other_domain: 'Der Link ist für andere Adressen als deine. Melde dich mit einem anderen Konto an.',
      other_address:
        'Die Einladung gilt für eine andere Adresse. Melde dich mit dieser an, oder lass deine einladen.',
      password_needed:
        'Dafür ist dein Passwort nötig. Es ist nichts geschehen: Mach es noch einmal und gib es ein.',
      push_off: 'Mitteilungen an Geräte sind hier abgeschaltet. Frag den Betreiber des Servers.',
      registration_closed: 'Hier legt man keine Konten an. Bitte den Betreiber des Servers um eines.',
      removed_from_team: 'Ein Admin hat dich aus diesem Team entfernt. Bitte um eine Einladung.',
      setup_link_needed:
        'Das erste Konto braucht den Link, den der Server beim Start ausgegeben hat. Öffne ihn.',
      unconfirmed_address:
        'Deine Adresse ist nicht bestätigt. Öffne den Link aus der Mail an dich und versuche es dann noch einmal.',
      upload_quota: 'Deine ungesendeten Dateien sind zusammen zu groß. Sende oder entferne einige davon.',
    },
    '4031': {
      person: 'Nimm den Zugang einer Person: Hier handelt die Anwendung selbst.',
      session: 'Dafür muss man angemeldet sein. Melde dich an.',
    },
    '4040': { client_id: 'Diese Anwendung gibt es hier nicht. Frag, von wem der Link kommt.' },
    '4090': {
      active: 'Es ist nicht gelöscht. Es gibt nichts zu tun.',
      already_member: 'Die Person ist schon im Team. Es gibt nichts zu tun.',
      asks_first: 'Du musst zuerst gefragt werden. Öffne die Anwendung noch einmal.',
      awaits_owner: 'Sie ruht, bis ihr Besitzer sie mit einem neuen Geheimnis übernimmt. Bitte ihn darum.',
      already_sent: 'Sie wurde schon gesendet. Du findest sie dort, wo sie steht.',
      too_many_at_once:
        'Um diese Zeit gehen schon viele dorthin. Wähle eine andere, ein paar Minuten davor oder danach.',
      too_many_scheduled: 'Du hast so viele, wie du haben darfst. Lösche etwas, das du nicht mehr brauchst.',
      being_sent: 'Es wird gerade gesendet. Sieh in ein paar Sekunden wieder nach.',
      deleted: 'Es wurde inzwischen gelöscht. Zu ändern gibt es nichts mehr.',
      email: 'Mit dieser Adresse gibt es ein Konto. Melde dich damit an, oder nimm eine andere.',
      erased: 'Der Inhalt ist gelöscht und kommt nicht wieder. Lege ein neues Team an.',
      events:
        'Ereignisse werden nicht einzeln erneut gesendet. Lass das Abonnement einen Zeitraum erneut senden.',
      idempotency_key:
        'Das wurde schon in anderer Form gesendet. Lade die Seite neu, dann versuche es noch einmal.',
      in_progress: 'Es läuft noch. Sieh in ein paar Sekunden wieder nach.',
      installed_again: 'Das Team hat die Anwendung wieder. Es gibt nichts zu tun.',
      installing: 'Es wird gerade installiert. Sieh in ein paar Sekunden wieder nach.',
      just_rotated:
        'Seit eben gibt es ein neues Geheimnis. Sieh dir das an, oder versuche es in ein paar Sekunden noch einmal.',
      last_admin: 'Ein Team braucht einen Admin. Mach zuerst jemand anderen dazu.',
      last_superuser: 'Der Server braucht einen Administrator. Mach zuerst ein anderes Konto dazu.',
      no_admin: 'Das Team hat keinen Admin. Wähle eines seiner Mitglieder.',
      form_changed: 'Die Anwendung hat dieses Formular geändert. Sieh es dir an und sende es noch einmal ab.',
      form_closed: 'Dieses Formular ist geschlossen. Ruf es bei der Anwendung noch einmal auf.',
      form_late: 'Das Formular kam zu spät. Versuch es noch einmal.',
      no_preinstall_url: 'Diese Anwendung hat keine Adresse vor der Installation. Gib ihr zuerst eine.',
      access_ended:
        'Die Anwendung, die das geplant hat, darf nicht mehr für dich handeln. Schreibe es selbst.',
      no_submit: 'Dieses Formular lässt sich nicht absenden. Schließe es, wenn du es gelesen hast.',
      no_blocks: 'Die Anwendung hat diese Nachricht geändert. Sieh sie dir noch einmal an.',
      no_mail_server: 'Dieser Server verschickt keine Mails. Bitte den Betreiber, SMTP_URL zu setzen.',
      no_webhook: 'Das Abonnement hat keinen Webhook. Gib ihm zuerst einen.',
      not_opened_here: 'Sie beginnt von selbst, wie ein Programm auf deinem Rechner. Starte sie dort.',
      public_client:
        'Eine öffentliche Anwendung hat kein Geheimnis und wird nicht angerufen. Gib ihr zuerst eines.',
      has_subscriptions: 'Die Anwendung hat Abonnements von Ereignissen. Lösch sie zuerst.',
      other_owner:
        'Die Anwendung gehört inzwischen jemand anderem. Sieh noch einmal nach, bevor du sie bestätigst.',
      own_subscription: 'Es bringt alles, was der Anwendung selbst gilt. Nur sein Webhook lässt sich ändern.',
      not_of_team: 'Diese Nachricht lesen nicht alle im Team. Hefte eine an, die alle lesen.',
      owns_applications: 'Das Konto hat Anwendungen. Lösche sie zuerst, oder gib sie ab.',
      read_since:
        'Nachrichten des Teams wurden seither als gelesen oder ungelesen markiert. Es bleibt, wie es jetzt ist.',
      replaced: 'Ein späterer Aufruf ersetzt ihn. Sieh dir den an.',
      replaying: 'Andere Zeiträume werden noch erneut gesendet. Warte, bis sie durch sind.',
      sidebar: 'Das gehört in ein Nebengespräch. Schreib dort.',
      subscription:
        'Dieses Gerät ist schon bekannt, vielleicht einem anderen Konto. Schalte seine Mitteilungen aus und wieder ein.',
      too_many_applications:
        'Du hast so viele Anwendungen, wie ein Konto registrieren darf. Lösche eine, die du nicht brauchst.',
      emoji_name: 'Der Server hat schon ein Emoji mit diesem Namen. Wähle einen anderen.',
      too_many_emoji:
        'Der Server hat so viele eigene Emoji, wie er haben darf. Lösche eins, das nicht gebraucht wird.',
      too_many_own_emoji:
        'Mehr Emoji kann ein Mitglied nicht hinzufügen. Lösche eins von dir, oder bitte einen Administrator darum.',
      too_many_pins:
        'Mehr angeheftete Nachrichten kann das Team nicht haben. Nimm eine heraus, die nicht mehr gebraucht wird.',
      too_many_saved:
        'Mehr Nachrichten kannst du nicht speichern. Entferne eine, die du nicht mehr brauchst.',
      too_many_reactions:
        'Mehr verschiedene Reaktionen passen nicht an die Nachricht. Schließ dich einer davon an.',
      too_many_groups:
        'Das Abonnement hat so viele Gruppen, wie es haben darf. Lösche eine, die du nicht brauchst.',
      subject_name: 'Das Team hat schon ein Thema mit diesem Namen. Wähle einen anderen.',
      too_many_sidebars:
        'Du hast neben dieser Nachricht so viele Seitengespräche begonnen, wie eine Person darf. Schreibe in eines davon.',
      too_many_subjects:
        'Das Team hat so viele offene Themen, wie es haben darf. Schließe eines, das nicht mehr gebraucht wird, oder schreibe ohne Thema.',
      too_many_own_subjects:
        'Von einem Mitglied sind so viele Themen offen, wie es sein dürfen. Schließe eines davon, bitte einen Admin des Teams darum, oder schreibe ohne Thema.',
      too_many_people_groups:
        'Das Team hat so viele Gruppen, wie es haben darf. Lösche eine, die nicht gebraucht wird.',
      group_name: 'Eine Person oder eine Gruppe heißt schon so. Nimm einen anderen Namen.',
      public_mail_domain:
        'In dieser Domain kann jeder eine Adresse haben. Wähle eine, in der nur deine eigenen Leute welche haben.',
      domain_rule: 'Für diese Domain und dieses Team gibt es schon eine Regel. Es ist nichts zu tun.',
      too_many_domain_rules:
        'Mehr solche Regeln darf der Server nicht haben. Beende eine, die niemand braucht.',
      too_many_join_links:
        'Mehr Beitrittslinks darf das Team nicht haben. Zieh einen zurück, den niemand braucht.',
      too_many_subscriptions:
        'Die Anwendung hat so viele Abonnements, wie sie haben darf. Ändere oder lösche eines.',
      too_many_webhooks:
        'Das Team hat so viele eingehende Webhooks, wie es haben darf. Zieh einen zurück, den du nicht brauchst.',
      uninstalled: 'Das Team hat die Anwendung nicht mehr. Es gibt nichts zu tun.',
      uninstalling: 'Die Anwendung wird noch entfernt. Versuche es in einer Minute noch einmal.',
      username: 'Diesen Benutzernamen gibt es schon. Nimm einen anderen.',
      verified: 'Die Adresse ist schon bestätigt. Es gibt nichts zu tun.',
      wrong_address: 'Die Anwendung hat eine falsche Adresse. Bitte ihren Entwickler, sie neu einzutragen.',
    },
    '4240': {
      refused_address: 'Die Adresse der Anwendung ruft der Server nicht auf. Frag ihren Entwickler.',
      dns: 'Der Rechner der Anwendung wurde nicht gefunden. Bitte ihren Entwickler, die Adresse zu prüfen.',
      connection: 'Die Anwendung war nicht zu erreichen. Frag ihren Entwickler, ob sie läuft.',
      tls: 'Das Zertifikat der Anwendung gilt nicht. Bitte ihren Entwickler, es zu erneuern.',
      protocol: 'Die Anwendung hat nicht in HTTP geantwortet. Frag ihren Entwickler.',
      too_large: 'Die Anwendung hat zu viel geantwortet. Frag ihren Entwickler.',
      timeout:
        'Die Anwendung hat nicht rechtzeitig geantwortet. Versuche es noch einmal, oder frag ihren Entwickler.',
      closed: 'Der Server wurde gerade angehalten. Versuche es noch einmal.',
      busy: 'Zu den Adressen dieses Entwicklers laufen gerade viele Aufrufe. Versuche es in einer Minute noch einmal.',
      interrupted: 'Es wurde unterbrochen. Installiere die Anwendung noch einmal.',
      application_deleted: 'Die Anwendung wurde inzwischen gelöscht. Es gibt nichts zu tun.',
      address_removed:
        'Die Anwendung hat keine Adresse mehr für diesen Aufruf. Wem sie gehört, kann eine eintragen.',
    },
    '5030': {
      disk_full:
        'Die Platte des Servers ist voll, er kann nichts speichern. Sag dem Betreiber Bescheid; dein Text bleibt hier.',
      stopping:
        'Der Server wird gerade neu gestartet. Warte ein paar Sekunden, dann versuche es noch einmal.',
      passwords: 'Gerade melden sich zu viele an. Warte ein paar Sekunden, dann versuche es noch einmal.',
      searches: 'Gerade wird zu viel gesucht. Warte ein paar Sekunden, dann versuche es noch einmal.',
      answers:
        'Auf deinen anderen Verbindungen warten noch lange Antworten. Warte ein paar Sekunden, dann versuche es noch einmal.',
      lists:
        'Gerade werden zu viele lange Listen gelesen. Warte ein paar Sekunden, dann versuche es noch einmal.',
      pictures: 'Gerade warten zu viele Bilder. Warte ein paar Sekunden, dann versuche es noch einmal.',
      calls:
        'Gerade warten zu viele Aufrufe von Anwendungen. Warte ein paar Sekunden, dann versuche es noch einmal.',
    },
  },
  named: 'Im Feld „{field}“: {text}',
  rules: {
    required: 'Das fehlt noch. Füll es aus.',
    minLength: 'Gib mindestens {limit, plural, one {# Zeichen} other {# Zeichen}} ein.',
    maxLength: 'Gib höchstens {limit, plural, one {# Zeichen} other {# Zeichen}} ein.',
    minimum: 'Gib {limit, number} oder mehr ein.',
    maximum: 'Gib {limit, number} oder weniger ein.',
    minItems: 'Gib mindestens {limit, plural, one {# Eintrag} other {# Einträge}} an.',
    maxItems: 'Gib höchstens {limit, plural, one {# Eintrag} other {# Einträge}} an.',
    uniqueItems: 'Ein Eintrag steht zweimal da. Entferne einen davon.',
    integer: 'Gib eine ganze Zahl ein.',
    number: 'Gib eine Zahl ein.',
    enum: 'Wähl eines davon: {allowed}.',
  },
  fields: {
    other: 'Der Server nimmt „{field}“ nicht an. Er sagt auf Englisch: „{message}“.',
    base_url: 'Gib eine ganze Adresse ein, etwa https://example.org.',
    url: 'Gib eine ganze Adresse ein, etwa https://example.org.',
    kinds: 'Wähle mindestens eine Art von Ereignissen.',
    teams: 'Wähle mindestens ein Team.',
    since: 'Gib einen Zeitpunkt an oder die Kennung eines Ereignisses, das noch aufbewahrt wird.',
    until: 'Gib einen Zeitpunkt oder ein Ereignis nach dem Beginn an.',
    description: 'Das fehlt oder ist zu lang. Sag es mit weniger Worten.',
    email: 'Gib eine ganze E-Mail-Adresse ein, etwa ada@example.org.',
    emails: 'Gib ganze E-Mail-Adressen ein, eine nach der anderen.',
    expires_at: 'Wähle eine Zeit, die noch kommt.',
    domains: 'Gib Domains wie example.org ein.',
    max_uses: 'Gib eine ganze Zahl ein.',
    file: 'Dieses Bild wird hier nicht angezeigt. Nimm eine Datei in PNG, JPEG, WebP oder GIF.',
    files: 'Eine Datei ist nicht mehr auf dem Server. Hänge sie noch einmal an.',
    first_name: 'Gib deinen Vornamen ein, mit höchstens 100 Zeichen.',
    icon: 'Gib ein Emoji ein oder eine Adresse, die mit https:// beginnt.',
    last_name: 'Gib deinen Nachnamen ein, mit höchstens 100 Zeichen.',
    name: 'Gib einen Namen ein, der nicht zu lang ist.',
    password: 'Wähle ein längeres Passwort, das schwer zu erraten ist.',
    person: 'Wähle eine Person.',
    q: 'Zum Suchen braucht es einen Buchstaben oder eine Ziffer.',
    text: 'Es ist leer oder zu lang. Kürze es, oder schreib etwas.',
    title: 'Das ist zu lang. Sag es mit weniger Worten.',
    username:
      'Benutzernamen haben bis zu 64 Buchstaben, Ziffern, Punkte, Striche und Unterstriche. Beginne mit einem Buchstaben oder einer Ziffer.',
    users: 'Wähle Leute, die die Nachricht sehen.',
  },
};
