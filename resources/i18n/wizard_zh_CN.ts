<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ColumnTable</name>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns of the table</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ColumnTableModel</name>
    <message>
        <source>Column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kind</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Values</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DataStep</name>
    <message numerus="yes">
        <source>%n broken files are left out</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Can&apos;t be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder of class folders</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Classes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Columns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on without data: the script can still be tried with --smoke</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the data are used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looked at</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made-up data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No data chosen. The script is written for made-up data and takes yours with --data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is deleted; the script leaves them out and names them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Path of the data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Picture size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pictures in each class</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preview</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables (*.csv *.tsv *.txt *.parquet);;All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>estimated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median, colour</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>median, grey</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one sub-folder each</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EffectPanel</name>
    <message>
        <source>GiB; how much is usable is not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory of the machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory on each GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory on each {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One epoch</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Would change the plan</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not known for this card; a test run measures it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>of {usable} usable, predicted for one training step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{low} – {high}, nine times in ten. A test run measures it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FormStep</name>
    <message>
        <source>Back to recommended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Takes every answer of this step back to the recommended one</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>HardwareStep</name>
    <message>
        <source>All usable GPUs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also fixed with several GPUs: XLA off, one step per call, accumulation inside the training step, synchronized BatchNorm in our own models.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each card holds the whole model, the batch is shared</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPUConfig chooses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MIG is on: one slice can be used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MirroredStrategy, one process</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No GPU here. The script will run on the processor, slowly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No distribution code in the script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not usable</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One GPU</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Planned for a recorded machine; the script names GPUs by position.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Simplest</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>To plan for another machine, choose it at the top of the left bar.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is fastest and still fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>capability {cc}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>named by UUID in the script, so a changed slot order does no harm</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{memory} in use now</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PreviewStrip</name>
    <message>
        <source>Some pictures of your data</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QuestionField</name>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Automatic: {value}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QuestionForm</name>
    <message>
        <source>More settings</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReviewStep</name>
    <message>
        <source>Change this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every choice and its reason</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScriptStep</name>
    <message numerus="yes">
        <source>%n lines</source>
        <translation type="unfinished">
            <numerusform></numerusform>
        </translation>
    </message>
    <message>
        <source>Change in step {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose an empty folder for the script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Compiles, checked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of the script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the script</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved in {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same answers give the same bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TaskStep</name>
    <message>
        <source>Choose what the model should learn. Each step explains what it decides, and every answer can be changed later.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits this machine</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>May not fit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory not known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing chosen yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too big</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You get</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You need</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TestRunPanel</name>
    <message>
        <source>A test run proves that the script starts, trains, saves and reads back, and measures memory and time. It runs in {python}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Measured values stand here after a test run on your data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Outside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs in {python}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Test run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The chosen Python has no TensorFlow. Choose another one on the page Overview.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This script is for a recorded machine; run it there. Choose this machine to try it here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try on made-up data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try on my data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Within</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
