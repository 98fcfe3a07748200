<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>ChoiceBlock</name>
        <message numerus="yes">
            <source>%n card(s)</source>
            <translation>
                <numerusform>%n card</numerusform>
                <numerusform>%n cards</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>all %n card(s)</source>
            <translation>
                <numerusform>all %n card</numerusform>
                <numerusform>all %n cards</numerusform>
            </translation>
        </message>
    </context>
</TS>
